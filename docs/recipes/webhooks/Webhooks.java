import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Verifies the signatures of webhooks. The names of headers are in lower case, and the body is the bytes before any parsing. */
final class Webhooks {
  static boolean isGenuine(Map<String, String> headers, byte[] rawBody, String clientId, String clientSecret) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(bytes(clientSecret), "HmacSHA256"));
    String id = headers.getOrDefault("x-message-id", "");
    StringBuilder expected = new StringBuilder();
    for (byte each : mac.doFinal(bytes(id + "+" + clientId))) expected.append(String.format("%02x", each));
    if (!isEqual(headers.getOrDefault("x-message-signature", ""), expected.toString())) return false; // Production sends only this one.

    if (!headers.containsKey("webhook-signature")) return true;
    String timestamp = headers.getOrDefault("webhook-timestamp", "");
    if (!timestamp.matches("[0-9]{1,12}")) return false;
    if (Math.abs(System.currentTimeMillis() / 1000 - Long.parseLong(timestamp)) > 300) return false;
    mac.update(bytes(id + "." + timestamp + "."));
    String covering = "v1," + Base64.getEncoder().encodeToString(mac.doFinal(rawBody));
    for (String given : headers.get("webhook-signature").split(" ")) if (isEqual(given, covering)) return true;
    return false;
  }

  private static boolean isEqual(String given, String expected) {
    return MessageDigest.isEqual(bytes(given), bytes(expected));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
