package sandbox;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Reads and writes JSON with the standard library: Map, List, String, BigDecimal, Boolean and null. */
public final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /** Parses a text. @throws IllegalArgumentException if it is not valid JSON */
    public static Object parse(String text) {
        var json = new Json(text);
        var value = json.value();
        if (json.peek() != 0) throw json.invalid();
        return value;
    }

    public static String write(Object value) {
        if (value instanceof Map<?, ?> map)
            return map.entrySet().stream().map(each -> write(each.getKey()) + ":" + write(each.getValue())).collect(Collectors.joining(",", "{", "}"));
        if (value instanceof List<?> list) return list.stream().map(Json::write).collect(Collectors.joining(",", "[", "]"));
        if (!(value instanceof String string)) return String.valueOf(value);
        var written = new StringBuilder("\"");
        for (char each : string.toCharArray()) {
            if (each == '"' || each == '\\') written.append('\\').append(each);
            else if (each < ' ') written.append(String.format("\\u%04x", (int) each));
            else written.append(each);
        }
        return written.append('"').toString();
    }

    private Object value() {
        switch (peek()) {
            case '{': {
                var map = new LinkedHashMap<String, Object>();
                items('}', () -> {
                    if (peek() != '"') throw invalid();
                    var key = string();
                    expect(':');
                    map.put(key, value());
                });
                return map;
            }
            case '[': {
                var list = new ArrayList<Object>();
                items(']', () -> list.add(value()));
                return list;
            }
            case '"':
                return string();
            default: {
                int from = at;
                while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) at++;
                var word = text.substring(from, at);
                if (word.equals("null")) return null;
                if (word.equals("true") || word.equals("false")) return Boolean.valueOf(word);
                try {
                    return new BigDecimal(word);
                } catch (NumberFormatException error) {
                    throw invalid();
                }
            }
        }
    }

    private void items(char end, Runnable item) {
        at++;
        if (peek() != end) {
            item.run();
            while (peek() == ',') {
                at++;
                item.run();
            }
        }
        expect(end);
    }

    private String string() {
        var read = new StringBuilder();
        for (at++; at < text.length(); at++) {
            char each = text.charAt(at);
            if (each == '"') {
                at++;
                return read.toString();
            }
            if (each != '\\') {
                read.append(each);
                continue;
            }
            if (++at == text.length()) break;
            char escaped = text.charAt(at);
            if (escaped == 'u') {
                if (at + 5 > text.length()) throw invalid();
                read.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
                at += 4;
            } else {
                int known = "bfnrt".indexOf(escaped);
                read.append(known < 0 ? escaped : "\b\f\n\r\t".charAt(known));
            }
        }
        throw invalid();
    }

    /** Returns the next character after white space; 0 at the end. */
    private char peek() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
        return at < text.length() ? text.charAt(at) : 0;
    }

    private void expect(char wanted) {
        if (peek() != wanted) throw invalid();
        at++;
    }

    private IllegalArgumentException invalid() {
        return new IllegalArgumentException("Invalid JSON at character " + at + ": " + text.substring(0, Math.min(text.length(), 200)));
    }
}
