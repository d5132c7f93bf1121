package sandbox;

import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/**
 * Gives each test that has a parameter {@link World} a world, and deletes the world after the test. If the test fails, its error has the
 * story of the world, and the world stays for an hour. The tag {@code negative} marks tests that misuse the API on purpose.
 */
public final class SandboxExtension
    implements ParameterResolver, AfterEachCallback, TestExecutionExceptionHandler, LifecycleMethodExecutionExceptionHandler {
    private static final Namespace namespace = Namespace.create(SandboxExtension.class);
    private static final String run = UUID.randomUUID().toString().substring(0, 6);

    /** The story of a world, as an error that is suppressed by the failure of a test: each runner shows it with the failure. */
    private static final class Story extends RuntimeException {
        Story(String text) {
            super(text, null, false, false);
        }

        @Override
        public String toString() {
            return getMessage();
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
        return parameter.getParameter().getType() == World.class && test.getTestMethod().isPresent();
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
        return test.getStore(namespace).getOrComputeIfAbsent(World.class, key -> create(test));
    }

    private static World create(ExtensionContext test) {
        var settings = new HashMap<String, String>();
        var options = test.getRequiredTestMethod().getAnnotation(WorldOptions.class);
        if (options != null)
            settings.putAll(Map.of("at", options.at(), "scenario", options.scenario(), "seed", options.seed(), "fixtures", options.fixtures()));
        settings.values().removeIf(String::isEmpty);
        var world = new World(nameOf(test), settings);
        if (test.getTags().contains("negative")) {
            var name = test.getDisplayName().replaceAll("[^ -~]", " ");
            world.control("PUT", "/test", Map.of("name", name.substring(0, Math.min(name.length(), 200)), "negative", true));
        }
        return world;
    }

    /** Returns a name that is unique for each test and each run. */
    private static String nameOf(ExtensionContext test) {
        try {
            var hash = MessageDigest.getInstance("SHA-256").digest(test.getUniqueId().getBytes("UTF-8"));
            var readable = run + "-" + test.getRequiredTestClass().getSimpleName() + "-" + test.getRequiredTestMethod().getName();
            var slug = readable.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
            return slug.substring(0, Math.min(slug.length(), 54)).replaceAll("-$", "") + "-" + HexFormat.of().formatHex(hash, 0, 4);
        } catch (java.security.NoSuchAlgorithmException | java.io.UnsupportedEncodingException error) {
            throw new IllegalStateException(error); // Each Java has both.
        }
    }

    @Override
    public void afterEach(ExtensionContext test) {
        var world = test.getStore(namespace).get(World.class, World.class);
        if (world != null && test.getExecutionException().isEmpty()) world.delete();
    }

    @Override
    public void handleTestExecutionException(ExtensionContext test, Throwable failure) throws Throwable {
        throw withStory(test, failure);
    }

    @Override
    public void handleBeforeEachMethodExecutionException(ExtensionContext test, Throwable failure) throws Throwable {
        throw withStory(test, failure);
    }

    private static Throwable withStory(ExtensionContext test, Throwable failure) {
        var world = test.getStore(namespace).get(World.class, World.class);
        if (world == null || failure instanceof org.opentest4j.TestAbortedException) return failure;
        try {
            var place = world.controlUrl + "/_sandbox/console/" + world.name;
            failure.addSuppressed(new Story("World " + world.name + " is kept for an hour: " + place + "\n" + world.story()));
        } catch (RuntimeException error) { // The failure of the test matters more than its story.
            failure.addSuppressed(error);
        }
        return failure;
    }
}
