import { createRouter, createWebHistory } from "vue-router";
import { openSession } from "./api/http.ts";

/** The pages. Each is a chunk of its own, loaded when it is opened. */
export const router = createRouter({
  history: createWebHistory("/"),
  routes: [
    { path: "/", name: "chat", component: () => import("./pages/chat/chat-page.vue"), meta: { page: "chat" } },
    {
      path: "/c/:id",
      name: "conversation",
      component: () => import("./pages/chat/chat-page.vue"),
      meta: { page: "chat" },
    },
    {
      path: "/activity",
      name: "activity",
      component: () => import("./pages/activity/activity-page.vue"),
      meta: { page: "activity" },
    },
    // Under the tab of the page that shows the calls.
    {
      path: "/connect",
      name: "connect",
      component: () => import("./pages/connect/connect-page.vue"),
      meta: { page: "activity" },
    },
    {
      path: "/policies/:name?",
      name: "policies",
      component: () => import("./pages/policies/policies-page.vue"),
      meta: { page: "policies" },
    },
    { path: "/lab", name: "lab", component: () => import("./pages/lab/lab-page.vue"), meta: { page: "lab" } },
    { path: "/why", name: "why", component: () => import("./pages/why/why-page.vue"), meta: { page: "why" } },
    { path: "/:any(.*)*", name: "not-found", component: () => import("./shell/not-found.vue") },
  ],
});

// A page's chunk is missing: the server was updated, and a reload gets the new ones. Without a server a reload would lose this page.
router.onError((_, to) => {
  openSession().then(
    () => location.assign(to.fullPath),
    () => undefined,
  );
});

export const PAGES = ["chat", "activity", "policies", "lab", "why"] as const;
export type PageName = (typeof PAGES)[number];

declare module "vue-router" {
  interface RouteMeta {
    readonly page?: PageName;
  }
}
