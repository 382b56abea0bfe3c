// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// java.time since 23: Instant.until of another instant, up to the largest spans.
// since: 25
import java.time.Duration;
import java.time.Instant;

public class TimeSince25 {
    public static void main(String[] arguments) {
        Instant then = Instant.parse("2024-02-29T12:34:56.789Z");
        System.out.println(then.until(then.plusSeconds(90)) + " " + then.until(Instant.EPOCH));
        System.out.println(Instant.MAX.until(Instant.MIN) + " " + Instant.MIN.until(Instant.MAX).toDays());
        System.out.println(then.until(then.minusNanos(1)).equals(Duration.ofNanos(-1)) + " "
            + then.until(then).isZero());
    }
}
