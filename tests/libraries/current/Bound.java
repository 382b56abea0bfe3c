// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Jackson: records, sealed types, trees, refused texts.
// maven: com.fasterxml.jackson.core:jackson-databind:2.19.2
// maven: com.fasterxml.jackson.datatype:jackson-datatype-jsr310:2.19.2
import com.fasterxml.jackson.annotation.*;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.*;
import com.fasterxml.jackson.databind.node.*;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.math.BigDecimal;
import java.time.*;
import java.util.*;

public class Bound {
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Circle.class, name = "circle")
        , @JsonSubTypes.Type(value = Square.class, name = "square")
    })
    sealed interface Shape permits Circle,
            Square {}
    record Circle(double radius) implements Shape {}
    record Square(@JsonProperty("side_length") double side) implements Shape {}
    enum Level { LOW, @JsonProperty("very-high") HIGH }
    record Order(String id, List<Shape> shapes, Map<String, Level> levels, Optional<String> note, LocalDate day,
            BigDecimal price) {}
    public static class Bean {
        private int count;
        public String name;
        @JsonIgnore public String secret = "s";
        public int getCount() { return count; }
        public void setCount(int count) { this.count = count; }
        @JsonInclude(JsonInclude.Include.NON_NULL) public Integer nothing;
        @JsonAnySetter
        void put(String key, Object value) {
            System.out.println("any " + key + "=" + value);
        }
    }
    static String area(Shape shape) {
        return switch (shape) {
            case Circle(double r) -> "circle " + r;
            case Square(var s) -> "square " + s;
        };
    }
    public static void main(String[] arguments) throws Exception {
        ObjectMapper mapper = new ObjectMapper()
                                      .registerModule(new JavaTimeModule())
                                      .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
                                      .configure(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS, true)
                                      .enable(SerializationFeature.INDENT_OUTPUT);
        Order order = new Order("a1", List.of(new Circle(1.5), new Square(2)),
                new TreeMap<>(Map.of("x", Level.HIGH, "y", Level.LOW)), null, LocalDate.of(2025, 9, 16),
                new BigDecimal("12.30"));
        String text = mapper.writeValueAsString(order);
        System.out.println(text);
        Order back = mapper.readValue(text, Order.class);
        System.out.println(back + " " + back.equals(order));
        back.shapes().forEach(s -> System.out.println(area(s)));
        Bean bean = mapper.readValue("{\"count\": 3, \"name\": \"n\", \"other\": [1, 2]}", Bean.class);
        System.out.println(mapper.writeValueAsString(bean));
        Map<String, List<Integer>> map = mapper.readValue("{\"a\": [1,2], \"b\": []}", new TypeReference<>() {});
        System.out.println(map);
        JsonNode tree = mapper.readTree("{\"p\": {\"q\": [true, null, 1e3]}}");
        System.out.println(tree.at("/p/q/2").asDouble() + " " + tree);
        ((ObjectNode) tree).put("z", 1);
        System.out.println(tree.toPrettyString());
        for (String wrong : new String[] {"{\"count\": \"x\"}", "{\"count\": ", "[1]"}) try {
                mapper.readValue(wrong, Bean.class);
            } catch (JsonProcessingException e) {
                System.out.println(e.getClass().getSimpleName() + ": " + e.getOriginalMessage());
            }
    }
}
