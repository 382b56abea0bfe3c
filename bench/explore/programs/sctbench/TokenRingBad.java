// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Three threads copy a number around a ring, and a check assumes that they ran in the order of the ring.
public class TokenRingBad {
    int first = 1, second = 2, third = 1;
    boolean firstDone, secondDone, thirdDone;

    synchronized void setFirst() {
        first = (third + 1) % 4;
        firstDone = true;
    }

    synchronized void setSecond() {
        second = first;
        secondDone = true;
    }

    synchronized void setThird() {
        third = second;
        thirdDone = true;
    }

    synchronized void check() {
        if (firstDone && secondDone && thirdDone) {
            assert first == second && second == third : first + ", " + second + ", " + third;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        TokenRingBad ring = new TokenRingBad();
        Thread[] threads = {
            new Thread(ring::setFirst), new Thread(ring::setSecond), new Thread(ring::setThird), new Thread(ring::check)
        };
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
    }
}
