// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// Lines of a report: numbers to text, padding, joining, splitting, replacing, upper case.
import java.util.ArrayList;
import java.util.List;

public class TextReports extends Kernel {
    private static String padded(String text, int width) {
        StringBuilder built = new StringBuilder(text);
        while (built.length() < width) built.append(' ');
        return built.toString();
    }
    private static List<String> split(String line, char by) {
        List<String> parts = new ArrayList<>();
        int from = 0;
        for (int to = line.indexOf(by); to >= 0; to = line.indexOf(by, from)) {
            parts.add(line.substring(from, to));
            from = to + 1;
        }
        parts.add(line.substring(from));
        return parts;
    }
    protected long work() {
        long sum = 0;
        StringBuilder report = new StringBuilder();
        for (int i = 0; i < 700; i++) {
            String line = "entry " + i + ";" + i * 31L + ";" + (i % 3 == 0 ? "open" : "closed");
            List<String> parts = split(line, ';');
            for (String part : parts) report.append(padded(part, 14)).append('|');
            report.append('\n');
            sum += parts.get(2).toUpperCase().hashCode() + line.replace(';', ',').hashCode();
            if (line.startsWith("entry 7") && line.endsWith("closed") && line.contains("7;")) sum++;
        }
        String text = report.toString();
        int lines = 0;
        for (int i = 0; i < text.length(); i++) if (text.charAt(i) == '\n') lines++;
        return sum * 31 + lines + text.trim().compareTo("entry 1");
    }
    public static void main(String[] arguments) { new TextReports().measure(arguments); }
}
