// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// gson: objects to JSON and back, generics, adapters, maps, errors.
// jars: gson.jar
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonSyntaxException;
import com.google.gson.TypeAdapter;
import com.google.gson.annotations.Expose;
import com.google.gson.annotations.SerializedName;
import com.google.gson.reflect.TypeToken;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

public class GsonObjects {
    enum Level { LOW, @SerializedName("top") HIGH }
    static class Person {
        @Expose String name;
        @SerializedName("years") int age;
        transient int skipped = 7;
        Level level = Level.HIGH;
        List<Map<String, Double>> data = new ArrayList<>();
        int[][] grid = {{1}, {2, 3}};
        Person friend;
        Person(String name, int age) { this.name = name; this.age = age; }
    }
    static class Celsius { final double degrees; Celsius(double d) { degrees = d; } }
    static class CelsiusAdapter extends TypeAdapter<Celsius> {
        public void write(JsonWriter out, Celsius c) throws IOException { out.value(c.degrees + "C"); }
        public Celsius read(JsonReader in) throws IOException {
            return new Celsius(Double.parseDouble(in.nextString().replace("C", "")));
        }
    }

    public static void main(String[] args) {
        Gson gson =
                new GsonBuilder().setPrettyPrinting().registerTypeAdapter(Celsius.class, new CelsiusAdapter()).create();
        Person p = new Person("Ann \u00e9 \"q\" <", 30);
        p.friend = new Person("Bob", 20);
        Map<String, Double> m = new LinkedHashMap<>();
        m.put("pi", Math.PI);
        m.put("big", 1e30);
        p.data.add(m);
        String json = gson.toJson(p);
        System.out.println(json);
        Person back = new Gson().fromJson(json, Person.class);
        System.out.println(back.name + back.age + back.level + back.data + back.grid[1][1] + back.friend.name
                + back.skipped + new Gson().toJson(back).equals(new Gson().toJson(p)));
        Map<String, List<Integer>> typed =
                new Gson().fromJson("{a:[1,2],'b':[]}", new TypeToken<Map<String, List<Integer>>>() {}.getType());
        System.out.println(typed + " " + typed.get("a").get(0).getClass() + " "
                + new TypeToken<List<? extends Number>>() {}.getType());
        System.out.println(gson.toJson(new Celsius(36.6)) + gson.fromJson("\"12C\"", Celsius.class).degrees);
        JsonObject o = JsonParser.parseString("{\"x\":[1,2.50,null,true,\"s\"],\"y\":{}}").getAsJsonObject();
        for (JsonElement e : o.getAsJsonArray("x")) System.out.print(e + " ");
        System.out.println(o.has("y") + " " + o.get("x").getAsJsonArray().get(1).getAsBigDecimal());
        for (String bad : new String[] {"{", "[1,", "{\"years\":\"x\"}", "nope", "{\"grid\":5}"}) {
            try {
                System.out.println(new Gson().fromJson(bad, Person.class));
            } catch (JsonSyntaxException e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
