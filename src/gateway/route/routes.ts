import type { Directory } from "./directory.ts";
import { findRoute, type Route } from "./find-route.ts";

const MOST_ROUTES = 1000;

/** The routes of one directory: the same few paths are asked for again and again. */
export class Routes {
  private readonly endpoints: Directory["endpoints"];
  private readonly known = new Map<string, Route>();
  private last: { method: string; path: string; isAnthropic: boolean; route: Route } | undefined = undefined;

  constructor(endpoints: Directory["endpoints"]) {
    this.endpoints = endpoints;
  }

  /** Undefined: no path of the gateway. */
  find(method: string, path: string, isAnthropic: boolean): Route | undefined {
    const { last } = this;
    if (last !== undefined && last.path === path && last.method === method && last.isAnthropic === isAnthropic)
      return last.route;
    const route = this.findAny(method, path, isAnthropic);
    if (route !== undefined) this.last = { method, path, isAnthropic, route };
    return route;
  }

  private findAny(method: string, path: string, isAnthropic: boolean): Route | undefined {
    const key = isAnthropic ? `${method}+${path}` : method + path;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const route = findRoute({ method, path, isAnthropic }, this.endpoints);
    if (this.known.size >= MOST_ROUTES) this.known.clear();
    if (route !== undefined) this.known.set(key, route);
    return route;
  }
}
