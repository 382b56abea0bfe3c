// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// java.beans: property changes and vetoes, introspection, editors, XML of beans.
// jvm: -Djava.awt.headless=true
import java.beans.BeanInfo;
import java.beans.IndexedPropertyDescriptor;
import java.beans.Introspector;
import java.beans.PropertyChangeEvent;
import java.beans.PropertyChangeListener;
import java.beans.PropertyChangeSupport;
import java.beans.PropertyDescriptor;
import java.beans.PropertyEditor;
import java.beans.PropertyEditorManager;
import java.beans.PropertyVetoException;
import java.beans.VetoableChangeSupport;
import java.beans.XMLDecoder;
import java.beans.XMLEncoder;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

public class Beans {
    public static class Person {
        private final PropertyChangeSupport changes = new PropertyChangeSupport(this);
        private final VetoableChangeSupport vetoes = new VetoableChangeSupport(this);
        private String name = "nobody";
        private int age;
        private List<String> friends = new ArrayList<>();
        private String[] titles = {"Dr"};
        public String getName() { return name; }
        public void setName(String value) {
            String old = name;
            name = value;
            changes.firePropertyChange("name", old, value);
        }
        public int getAge() { return age; }
        public void setAge(int value) throws PropertyVetoException {
            vetoes.fireVetoableChange("age", age, value);
            int old = age;
            age = value;
            changes.firePropertyChange("age", old, value);
        }
        public boolean isAdult() { return age >= 18; }
        public List<String> getFriends() { return friends; }
        public void setFriends(List<String> value) { friends = value; }
        public String[] getTitles() { return titles; }
        public String getTitles(int i) { return titles[i]; }
        public void setTitles(int i, String value) { titles[i] = value; }
        public void addPropertyChangeListener(PropertyChangeListener l) { changes.addPropertyChangeListener(l); }
        public void removePropertyChangeListener(PropertyChangeListener l) { changes.removePropertyChangeListener(l); }
    }

    public static void main(String[] args) throws Exception {
        Person person = new Person();
        PropertyChangeListener listener =
                e -> System.out.println(e.getPropertyName() + ": " + e.getOldValue() + " -> " + e.getNewValue());
        person.addPropertyChangeListener(listener);
        person.vetoes.addVetoableChangeListener(e -> {
            if ((int) e.getNewValue() < 0) throw new PropertyVetoException("too young", (PropertyChangeEvent) e);
        });
        person.setName("Ada");
        person.setName("Ada");
        person.setAge(36);
        try {
            person.setAge(-1);
        } catch (PropertyVetoException e) {
            System.out.println(e);
        }
        BeanInfo info = Introspector.getBeanInfo(Person.class, Object.class);
        for (PropertyDescriptor each : info.getPropertyDescriptors())
            System.out.println(each.getName() + " " + each.getPropertyType() + " " + each.getReadMethod() + " "
                    + each.getWriteMethod() + " " + each.isBound()
                    + (each instanceof IndexedPropertyDescriptor
                                    ? " " + ((IndexedPropertyDescriptor) each).getIndexedPropertyType()
                                    : ""));
        System.out.println(info.getEventSetDescriptors().length + " " + info.getEventSetDescriptors()[0].getName() + " "
                + info.getMethodDescriptors().length);
        System.out.println(Introspector.decapitalize("URLName") + " " + Introspector.decapitalize("Name"));
        PropertyEditor editor = PropertyEditorManager.findEditor(int.class);
        editor.setAsText("42");
        System.out.println(editor.getValue() + " " + editor.getJavaInitializationString());

        person.getFriends().add("Grace");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (XMLEncoder encoder = new XMLEncoder(out)) {
            encoder.setExceptionListener(e -> System.out.println("encoding: " + e));
            encoder.writeObject(person);
        }
        System.out.println(out.toString().replaceAll("version=\"17[^\"]*\"", "version"));
        try (XMLDecoder decoder = new XMLDecoder(new ByteArrayInputStream(out.toByteArray()))) {
            Person copy = (Person) decoder.readObject();
            System.out.println(copy.getName() + " " + copy.getAge() + " " + copy.getFriends() + " " + copy.isAdult());
        }
    }
}
