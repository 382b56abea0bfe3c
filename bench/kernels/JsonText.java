// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// Parses a JSON text into objects, and sums what is in them.
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

public class JsonText extends Kernel {
    private static final class Parser {
        private final String text;
        private int at;
        Parser(String text) { this.text = text; }
        private char skipped() {
            while (text.charAt(at) <= ' ') at++;
            return text.charAt(at);
        }
        Object value() {
            switch (skipped()) {
                case '{': return object();
                case '[': return array();
                case '"': return string();
                case 't': at += 4; return Boolean.TRUE;
                case 'f': at += 5; return Boolean.FALSE;
                case 'n': at += 4; return null;
                default: return number();
            }
        }
        private Map<String, Object> object() {
            Map<String, Object> fields = new LinkedHashMap<>();
            at++;
            while (skipped() != '}') {
                String name = string();
                skipped();
                at++;
                fields.put(name, value());
                if (skipped() == ',') at++;
            }
            at++;
            return fields;
        }
        private List<Object> array() {
            List<Object> values = new ArrayList<>();
            at++;
            while (skipped() != ']') {
                values.add(value());
                if (skipped() == ',') at++;
            }
            at++;
            return values;
        }
        private String string() {
            StringBuilder built = new StringBuilder();
            for (at++; text.charAt(at) != '"'; at++) {
                if (text.charAt(at) == '\\') at++;
                built.append(text.charAt(at));
            }
            at++;
            return built.toString();
        }
        private Integer number() {
            int sign = 1, value = 0;
            if (text.charAt(at) == '-') {
                sign = -1;
                at++;
            }
            while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
                value = value * 10 + text.charAt(at++) - '0';
            }
            return sign * value;
        }
    }
    private static long sum(Object value) {
        if (value instanceof Map) {
            long sum = 1;
            for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
                sum = sum * 31 + entry.getKey().hashCode() + sum(entry.getValue());
            }
            return sum;
        }
        if (value instanceof List) {
            long sum = 2;
            for (Object each : (List<?>) value) sum = sum * 37 + sum(each);
            return sum;
        }
        return value == null ? 3 : value.hashCode();
    }
    private String text;
    protected long work() {
        if (text == null) {
            StringBuilder built = new StringBuilder("[");
            for (int i = 0; i < 200; i++) {
                if (i > 0) built.append(", ");
                built.append("{\"name\": \"number ").append(i).append("\", \"value\": ").append(i * 7 - 300);
                built.append(", \"is even\": ").append(i % 2 == 0);
                built.append(", \"parts\": [1, 2, [").append(i).append("], null]}");
            }
            text = built.append("]").toString();
        }
        return sum(new Parser(text).value());
    }
    public static void main(String[] arguments) { new JsonText().measure(arguments); }
}
