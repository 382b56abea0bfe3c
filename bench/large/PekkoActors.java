// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Actors (Pekko): tokens travel round a ring, and a tree of actors splits a search for numbers and adds up the answers.
// maven: org.apache.pekko:pekko-actor_2.13:1.1.3
// iterations: 20
// locks: yes
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;

public class PekkoActors extends Workload {
    private static final int MEMBERS = 100, TOKENS = 20, ROUNDS = 150, LIMIT = 400_000, SMALLEST = 1000;

    record Token(int hopsLeft, long sum) {}

    record Range(int from, int to) {}

    record Answer(long sum) {}

    /** An actor that passes on tokens. When all tokens have arrived, it completes the future with their total sum. */
    static final class Member extends AbstractActor {
        private final int number;
        private final CompletableFuture<Long> done;
        private ActorRef next;
        private int arrived;
        private long sum;

        Member(int number, CompletableFuture<Long> done) {
            this.number = number;
            this.done = done;
        }

        @Override public Receive createReceive() {
            return receiveBuilder().match(ActorRef.class, other -> next = other).match(Token.class, this::pass).build();
        }

        private void pass(Token token) {
            if (token.hopsLeft() > 0) {
                next.tell(new Token(token.hopsLeft() - 1, token.sum() * 31 + number), self());
            } else {
                sum += token.sum();
                if (++arrived == TOKENS) done.complete(sum);
            }
        }
    }

    /** An actor that splits its range between two new actors. If the range is small, the actor counts in it. */
    static final class Searcher extends AbstractActor {
        private ActorRef asker;
        private int missing = 2;
        private long sum;

        @Override public Receive createReceive() {
            return receiveBuilder().match(Range.class, this::search).match(Answer.class, this::add).build();
        }

        private void search(Range range) {
            asker = sender();
            if (range.to() - range.from() <= SMALLEST) {
                for (int i = range.from(); i < range.to(); i++) sum += Integer.bitCount(i * 0x9E3779B9) == 16 ? i : 1;
                asker.tell(new Answer(sum), self());
                context().stop(self());
                return;
            }
            int middle = (range.from() + range.to()) >>> 1;
            Props half = Props.create(Searcher.class, Searcher::new);
            context().actorOf(half).tell(new Range(range.from(), middle), self());
            context().actorOf(half).tell(new Range(middle, range.to()), self());
        }

        private void add(Answer answer) {
            sum += answer.sum();
            if (--missing != 0) return;
            asker.tell(new Answer(sum), self());
            context().stop(self());
        }
    }

    /** An actor that sends one request, and completes the future with the answer. */
    static final class Asker extends AbstractActor {
        private final CompletableFuture<Long> done;

        Asker(CompletableFuture<Long> done) {
            this.done = done;
        }

        @Override public void preStart() {
            context().actorOf(Props.create(Searcher.class, Searcher::new)).tell(new Range(0, LIMIT), self());
        }

        @Override public Receive createReceive() {
            return receiveBuilder().match(Answer.class, answer -> {
                done.complete(answer.sum());
                context().stop(self());
            }).build();
        }
    }

    private final ActorSystem system = ActorSystem.create("workload");

    private long ring() throws Exception {
        CompletableFuture<Long> done = new CompletableFuture<>();
        ActorRef[] members = new ActorRef[MEMBERS];
        for (int i = 0; i < MEMBERS; i++) {
            int number = i;
            members[i] = system.actorOf(Props.create(Member.class, () -> new Member(number, done)));
        }
        for (int i = 0; i < MEMBERS; i++) members[i].tell(members[(i + 1) % MEMBERS], ActorRef.noSender());
        for (int i = 0; i < TOKENS; i++)   // token i starts at member i, with i hops less than token 0, so all end at 0
            members[i].tell(new Token(MEMBERS * ROUNDS - i, i), ActorRef.noSender());
        long sum = done.get();
        for (ActorRef member : members) system.stop(member);
        return sum;
    }

    private long tree() throws Exception {
        CompletableFuture<Long> done = new CompletableFuture<>();
        system.actorOf(Props.create(Asker.class, () -> new Asker(done)));
        return done.get();
    }

    @Override protected long iteration() throws Exception {
        return mixed(ring(), tree());
    }

    @Override protected void close() {
        system.terminate();
    }

    public static void main(String[] arguments) throws Exception {
        new PekkoActors().run(arguments);
    }
}
