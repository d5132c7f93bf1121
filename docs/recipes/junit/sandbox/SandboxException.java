package sandbox;

/** An error response of the control API, or no response: the status is then 0. */
public class SandboxException extends RuntimeException {
    public final int status;
    public final String code;

    SandboxException(int status, String code, String message) {
        super(message + " (" + status + " " + code + ")");
        this.status = status;
        this.code = code;
    }
}
