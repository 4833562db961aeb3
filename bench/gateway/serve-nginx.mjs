// nginx as one process without workers, buffering off. It ends with this process, whatever ends that.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [, , upstream, port] = process.argv;
const folder = mkdtempSync(join(tmpdir(), "secondwind-nginx-"));
const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
  (name) => `${name}_temp_path ${folder}/${name};`,
);
writeFileSync(
  join(folder, "nginx.conf"),
  `daemon off; master_process off; worker_processes 1; pid ${folder}/pid; error_log stderr crit;
events { worker_connections 8192; }
http {
  access_log off; keepalive_requests 10000000; ${paths.join(" ")}
  upstream provider { server ${new URL(upstream).host}; keepalive 1024; keepalive_requests 10000000; }
  server {
    listen 127.0.0.1:${port} backlog=2048;
    location / {
      proxy_pass http://provider; proxy_http_version 1.1; proxy_set_header connection ""; proxy_buffering off;
      proxy_read_timeout 600s;
    }
  }
}`,
);
// The shell waits for its standard input to close and then ends nginx: a killed process cannot do it itself.
// Ctrl-C reaches it too; it must still clean up.
const script =
  'trap "" INT TERM HUP; nginx -p "$0" -c "$0/nginx.conf" & echo $!; cat >/dev/null; kill $!; wait; rm -rf "$0"';
const shell = spawn("sh", ["-c", script, folder], { stdio: ["pipe", "pipe", "inherit"] });
shell.stdout.once("data", (line) => {
  globalThis.measuredPid = Number(line);
});
shell.once("exit", () => {
  rmSync(folder, { recursive: true, force: true });
  process.exit(1);
});
