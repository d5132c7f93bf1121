package sandbox;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Options for the world of a test. An empty value is the default of the sandbox. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface WorldOptions {
    /** World time of the frozen clock, for example 2030-01-31T23:59:00.000Z. Default: now */
    String at() default "";

    String scenario() default "";

    String seed() default "";

    /** Either default or empty. */
    String fixtures() default "";
}
