// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Records made, read and compared by reflection and by method handles; accessors that are overridden; varargs; final
// fields stay final.
// since: 21
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;

public class ReflectiveRecords {
    record Person(String name, int age, String... nicknames) {
        Person {
            if (age < 0) throw new IllegalArgumentException("age " + age);
        }

        @Override
        public String name() {
            return name.toUpperCase();
        }
    }

    static <R extends Record> R with(R record, String component, Object value) throws ReflectiveOperationException {
        RecordComponent[] components = record.getClass().getRecordComponents();
        Object[] values = new Object[components.length];
        for (int i = 0; i < values.length; i++)
            values[i] = components[i].getName().equals(component) ? value : components[i].getAccessor().invoke(record);
        Class<?>[] types = Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        @SuppressWarnings("unchecked")
        Constructor<R> constructor = (Constructor<R>) record.getClass().getDeclaredConstructor(types);
        return constructor.newInstance(values);
    }

    public static void main(String[] arguments) throws Throwable {
        Person person = new Person("ada", 36, "countess");
        Person older = with(person, "age", 37);
        System.out.println(older.name() + older.age() + Arrays.toString(older.nicknames()));
        try {
            with(person, "age", -1);
        } catch (java.lang.reflect.InvocationTargetException e) {
            System.out.println(e.getCause().getMessage());
        }
        try {
            with(person, "age", "text");
        } catch (IllegalArgumentException e) {
            System.out.println("IllegalArgumentException");
        }
        Field age = Person.class.getDeclaredField("age");
        age.setAccessible(true);
        System.out.println(age.getInt(person));
        try {
            age.setInt(person, 1);
        } catch (IllegalAccessException e) {
            System.out.println(e.getMessage());
        }
        var lookup = MethodHandles.lookup();
        var maker = lookup.findConstructor(Person.class,
            MethodType.methodType(void.class, String.class, int.class, String[].class));
        Person made = (Person) maker.invoke("bob", 5, "b", "bobby");
        System.out.println(made.nicknames().length + " "
            + (int) lookup.findVirtual(Person.class, "age", MethodType.methodType(int.class)).invokeExact(made));
        System.out.println(made.equals(with(made, "name", "bob")) + " "
            + made.toString().startsWith("Person[name=bob, age=5, nicknames="));
    }
}
