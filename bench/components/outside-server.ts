import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { HOSTS, SLOW_MS } from "./outside.ts";

/** A typical API answer for one resource. */
const THING = JSON.stringify({
	id: 4711,
	url: "https://api.example.com/repos/acme/gears/issues/4711",
	title: "The brass gear with 17 teeth does not turn",
	body: "It turns with 16 teeth, and with 18. ".repeat(10),
	user: { login: "ada", id: 1815, type: "User", site_admin: false },
	labels: ["bug", "gears", "urgent"].map((name, index) => ({ id: 100 + index, name, color: "d73a4a" })),
	assignees: [{ login: "charles", id: 1791, type: "User", site_admin: false }],
	comments: 3,
	state: "open",
	created_at: "2026-01-01T00:00:00Z",
	closed_at: null,
});

let inFlight = 0;
let most = 0;

const PATHS: Readonly<Record<string, (response: ServerResponse) => void>> = {
	"/thing": (response) => answer(response, THING),
	"/slow": (response) => {
		most = Math.max(most, ++inFlight);
		setTimeout(() => {
			inFlight--;
			answer(response, THING);
		}, SLOW_MS);
	},
	"/most": (response) => {
		answer(response, JSON.stringify(most));
		most = 0;
	},
};

const listener: RequestListener = (request, response) => {
	const path = PATHS[request.url ?? ""];
	if (path === undefined) response.writeHead(404).end();
	else path(response);
};

const ports: number[] = [];
for (let nth = 0; nth < HOSTS; nth++) {
	const server = createServer({ keepAliveTimeout: 60_000 }, listener);
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	ports.push((server.address() as AddressInfo).port);
}
console.log(`ready ${ports.map((port) => `http://127.0.0.1:${port}`).join(" ")}`);
process.on("SIGTERM", () => process.exit());

function answer(response: ServerResponse, text: string): void {
	response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
	response.end(text);
}
