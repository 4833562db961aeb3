import { monitorEventLoopDelay } from "node:perf_hooks";
import { metricText } from "./metric.ts";

const NANOSECONDS = 1e9;
const MICROSECONDS = 1e6;

/** Figures about the process, under the names that Prometheus clients for Node use. */
export class ProcessMetrics {
  readonly #delay = monitorEventLoopDelay({ resolution: 20 });

  constructor() {
    this.#delay.enable();
  }

  close(): void {
    this.#delay.disable();
  }

  /** The delay of the event loop is that since the last time. */
  text(): string {
    const { user, system } = process.cpuUsage();
    const { rss, heapUsed } = process.memoryUsage();
    const delays = [0.5, 0.99].map(
      (quantile) => `{quantile="${quantile}"} ${this.#delay.percentile(quantile * 100) / NANOSECONDS}`,
    );
    this.#delay.reset();
    const gauge = (name: string, help: string, value: number): string =>
      metricText(name, "gauge", help, [`${name} ${value}`]);
    const startedAt = Math.round((Date.now() / 1000 - process.uptime()) * 1000) / 1000;
    const cpu = "process_cpu_seconds_total";
    const lag = "nodejs_eventloop_delay_seconds";
    return [
      metricText(cpu, "counter", "CPU time of the process.", [`${cpu} ${(user + system) / MICROSECONDS}`]),
      gauge("process_start_time_seconds", "Start of the process, in seconds since 1970.", startedAt),
      gauge("process_resident_memory_bytes", "Memory of the process.", rss),
      gauge("nodejs_heap_size_used_bytes", "Memory in use by JavaScript.", heapUsed),
      metricText(
        lag,
        "gauge",
        "Delay of the event loop since the last scrape.",
        delays.map((line) => `${lag}${line}`),
      ),
    ].join("");
  }
}
