// A program defines module layers whose parent is the boot layer, and prints what look-ups in these layers return.
import java.lang.module.*;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;

public class Layers {
    static String clean(Object o) { return String.valueOf(o).replaceAll("@[0-9a-f]+", "@X"); }
    interface Act { Object run() throws Throwable; }
    static void show(String what, Act act) {
        try {
            System.out.println(what + ": " + clean(act.run()));
        } catch (Throwable t) {
            System.out.println(what + ": " + clean(t));
        }
    }
    static String greet(Class<?> c) throws Exception {
        var m = c.getMethod("greet", String.class);
        m.setAccessible(true);
        return (String) m.invoke(c.getDeclaredConstructor().newInstance(), "x");
    }

    public static void main(String[] args) throws Exception {
        ModuleFinder finder = ModuleFinder.of(Path.of(args[0]));
        ModuleLayer boot = ModuleLayer.boot();
        Configuration cf = boot.configuration().resolve(finder, ModuleFinder.of(), Set.of("app", "plugin"));
        System.out.println(cf.modules().stream().map(ResolvedModule::name).sorted().collect(Collectors.toList()));
        ClassLoader scl = ClassLoader.getSystemClassLoader();
        ModuleLayer one = boot.defineModulesWithOneLoader(cf, scl);
        ModuleLayer many = boot.defineModulesWithManyLoaders(cf, scl);
        for (ModuleLayer layer : List.of(one, many)) {
            System.out.println(layer.modules().stream().map(Module::getName).sorted().collect(Collectors.toList()) + " "
                    + layer.parents().equals(List.of(boot)));
            Module app = layer.findModule("app").get(), greet = layer.findModule("greet").get(),
                   plugin = layer.findModule("plugin").get();
            System.out.println((app.getClassLoader() == greet.getClassLoader()) + " " + (app.getLayer() == layer) + " "
                    + app.canRead(greet) + greet.canRead(app) + app.canRead(plugin) + " "
                    + greet.isExported("greet.secret", app) + greet.isExported("greet.secret", plugin)
                    + greet.isExported("greet") + greet.isOpen("greet"));
            Class<?> main = app.getClassLoader().loadClass("app.Bad");
            System.out.println(main.getModule() == app);
            Class<?> impl = Class.forName(greet, "greet.impl.English");
            show("reflect", () -> greet(impl));
            show("service",
                    ()
                            -> ServiceLoader.load(layer, impl.getInterfaces()[0])
                                    .stream()
                                    .map(p -> p.type().getName())
                                    .sorted()
                                    .collect(Collectors.toList()));
            show("string", () -> Arrays.stream(layer.toString().split(", ")).sorted().collect(Collectors.toList()));
            show("java.base", () -> layer.findModule("java.base").get());
            show("loader", () -> layer.findLoader("nope"));
            show("loader of java.base", () -> layer.findLoader("java.base"));
            show("resource", () -> app.getResourceAsStream("app/Main.class").readAllBytes().length > 100);
            show("hidden resource", () -> app.getResourceAsStream("app/none.txt"));
            show("proxy", () -> {
                Object p = java.lang.reflect.Proxy.newProxyInstance(
                        greet.getClassLoader(), impl.getInterfaces(), (a, b, c) -> "p" + c[0]);
                return p.getClass().getModule().isNamed() + p.getClass().getPackageName().replaceAll("[0-9]", "");
            });
            show("run", () -> {
                main.getMethod("main", String[].class).invoke(null, (Object) new String[0]);
                return "";
            });
            show("addReads", () -> app.addReads(plugin));
            show("addExports", () -> greet.addExports("greet.impl", app));
        }
        ModuleLayer.Controller controller = ModuleLayer.defineModulesWithOneLoader(cf, List.of(boot), scl);
        Module greet = controller.layer().findModule("greet").get();
        controller.addOpens(greet, "greet.impl", Layers.class.getModule()).addReads(greet, Layers.class.getModule());
        show("opened", () -> greet(greet.getClassLoader().loadClass("greet.impl.English")));
        show("reads", () -> greet.canRead(Layers.class.getModule()));
        show("not mine", () -> controller.addReads(Object.class.getModule(), greet));
        show("no package", () -> controller.addOpens(greet, "nope", greet));
        show("null loader", () -> boot.defineModules(cf, name -> null));
        show("platform loader", () -> boot.defineModules(cf, name -> ClassLoader.getPlatformClassLoader()));
        ClassLoader own = new ClassLoader(scl) {};
        show("own", () -> boot.defineModules(cf, name -> own).findLoader("app") == own);
        show("own again", () -> {
            try {
                return boot.defineModules(cf, name -> own);
            } catch (LayerInstantiationException refused) {   // the message names any of the three modules
                return refused.getMessage().replaceAll("app|greet|plugin", "M");
            }
        });
        show("own misses", () -> Class.forName(boot.findModule("java.base").get(), "app.Main"));
        show("wrong parents", () -> ModuleLayer.defineModulesWithOneLoader(cf, List.of(), scl));
        show("wrong parent", () -> ModuleLayer.defineModulesWithOneLoader(cf, List.of(ModuleLayer.empty()), scl));
        show("empty",
                ()
                        -> ModuleLayer.empty().modules() + " " + ModuleLayer.empty().findModule("java.base") + " "
                        + ModuleLayer.empty().configuration().modules());
        // a layer above another
        Configuration upper =
                controller.layer().configuration().resolve(ModuleFinder.of(), ModuleFinder.of(), Set.of());
        ModuleLayer top = controller.layer().defineModulesWithOneLoader(upper, null);
        show("inherited", () -> top.findModule("greet").get() == greet);
        show("unresolved", () -> boot.configuration().resolve(finder, ModuleFinder.of(), Set.of("nope")));
        show("used loader", () -> {
            ClassLoader l = new java.net.URLClassLoader(new java.net.URL[] {Path.of(args[0], "greet").toUri().toURL()});
            l.loadClass("greet.impl.English");
            try {
                return boot.defineModules(
                        boot.configuration().resolve(finder, ModuleFinder.of(), Set.of("greet")), n -> l);
            } catch (LayerInstantiationException refused) {
                return refused.getMessage().replaceAll("Package \\S+", "Package P");
            }
        });
    }
}
