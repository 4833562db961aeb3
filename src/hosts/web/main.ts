import { createPinia } from "pinia";
import { createApp } from "vue";
import App from "./app.vue";
import { router } from "./router.ts";
import "./style/tokens.css";
import "./style/base.css";
import "./style/controls.css";
import "./style/markdown.css";

createApp(App).use(createPinia()).use(router).mount("#app");
