import { once } from "node:events";
import { createServer } from "node:net";
import type { Settings } from "../settings.ts";
import { type Check, fail, findReason, ok } from "./check.ts";
import { reach } from "./reach.ts";

export interface Listening {
	readonly check: Check;
	/** The address at which the service answers on this machine; null if it does not. */
	readonly url: string | null;
}

/** Whether the service listens, or could. */
export async function checkPort(
	settings: Settings,
	kind: "PORT" | "STORE_PORT",
	now: () => number,
): Promise<Listening> {
	const name = kind === "PORT" ? "port" : "store's port";
	const port = settings[kind];
	const host = settings[kind === "PORT" ? "HOST" : "STORE_HOST"];
	if (port === 0) return { check: ok(name, `${kind} is 0: each start takes a free port`), url: null };
	const url = `http://${toLocalHost(host)}:${port}`;
	try {
		const { text } = await reach(`${url}/healthz`, now);
		if (text === '{"status":"ok"}') return { check: ok(name, `the service answers at ${url}`), url };
		return { check: reportTaken(name, kind, port), url: null };
	} catch (error) {
		const reason = findReason(error);
		if (reason !== "ECONNREFUSED" && reason !== "EADDRNOTAVAIL" && reason !== "ENOTFOUND")
			return { check: reportTaken(name, kind, port), url: null };
	}
	return { check: await checkFree(name, kind, host, port), url: null };
}

const reportTaken = (name: string, kind: string, port: number): Check =>
	fail(name, `another program listens on port ${port}`, `stop it, or set ${kind} to another port`);

async function checkFree(name: string, kind: string, host: string, port: number): Promise<Check> {
	const server = createServer();
	try {
		await once(server.listen(port, host), "listening");
		return ok(name, `port ${port} is free: the service is not running`);
	} catch (error) {
		const reason = findReason(error);
		if (reason === "EADDRINUSE") return reportTaken(name, kind, port);
		return fail(
			name,
			`nothing can listen on ${host} port ${port} (${reason})`,
			reason === "EACCES"
				? `set ${kind} to a port above 1023, behind a proxy`
				: `set ${kind === "PORT" ? "HOST" : "STORE_HOST"} to an address of this machine`,
		);
	} finally {
		server.close();
	}
}

/** An address for all interfaces is reached by a loopback one. */
function toLocalHost(host: string): string {
	if (host === "0.0.0.0") return "127.0.0.1";
	if (host === "::") return "[::1]";
	return host.includes(":") ? `[${host}]` : host;
}
