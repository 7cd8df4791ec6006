import cluster from "node:cluster";
import { createServer, type Server } from "node:http";
import { Server as NetServer } from "node:net";
import { BodyWatch } from "./body-watch.ts";
import { type Answer, type ListenerOptions, requestListener } from "./node-message.ts";
import { StartProblem } from "./settings.ts";

/** How long running requests may take to finish after a stop. */
const FINISH_MS = 30_000;
const IDLE_CHECK_MS = 50;
/**
 * If other processes go on serving, no request may fail that is on its way on a connection that looks idle. Its response
 * closes the connection.
 */
const IDLE_GRACE_MS = 500;

/** Large enough for a long list of names in a query. */
const MAX_HEADER_BYTES = 64 * 1024;
const HEADERS_TIMEOUT_MS = 60_000;

export interface Listener {
	readonly url: string;
	/** Accepts no new connections, waits for running requests, then closes. */
	close(): Promise<void>;
}

export async function listen(
	deps: {
		answer: Answer;
		host: string;
		port: number;
		/** Called when no answer could be produced. */
		onError: (error: unknown) => void;
		/** The setting to name in the error when the port is not available. */
		portSetting: string;
	} & ListenerOptions,
): Promise<Listener> {
	const bodies = new BodyWatch();
	let isClosing = false;
	const answerRequest = requestListener(deps.answer, deps.onError, {
		...deps,
		bodies,
		isClosing: () => isClosing,
	});
	const server = createServer(
		// A long upload may take any time while it makes progress, which `bodies` watches.
		{ maxHeaderSize: MAX_HEADER_BYTES, headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: 0 },
		answerRequest,
	);
	server.on("connection", (connection) => bodies.watch(connection));
	// The body is asked for when it is read, so that a refused client need not send it.
	server.on("checkContinue", (message, response) => answerRequest(message, response, true));
	await bind(server, deps);
	const address = server.address();
	const port = typeof address === "object" && address !== null ? address.port : deps.port;
	const name = deps.host.includes(":") ? `[${deps.host}]` : deps.host;
	return {
		url: `http://${name}:${port}`,
		async close() {
			isClosing = true;
			await close(server).finally(() => bodies.close());
		},
	};
}

function bind(server: Server, deps: { host: string; port: number; portSetting: string }): Promise<void> {
	const { promise, resolve, reject } = Promise.withResolvers<void>();
	server.once("error", (error: NodeJS.ErrnoException) => reject(toProblem(error, deps)));
	server.listen(deps.port, deps.host, resolve);
	return promise;
}

function toProblem(
	error: NodeJS.ErrnoException,
	deps: { host: string; port: number; portSetting: string },
): Error {
	const where = `${deps.portSetting} ${deps.port}`;
	switch (error.code) {
		case "EADDRINUSE":
			return new StartProblem(
				`${where} is in use: stop the other program, or set ${deps.portSetting} to another port`,
			);
		case "EACCES":
			return new StartProblem(
				`${where} is not allowed for this user: set ${deps.portSetting} to 1024 or more`,
			);
		case "EADDRNOTAVAIL":
		case "ENOTFOUND":
			return new StartProblem(`${deps.host} is not an address of this machine: correct the host setting`);
		default:
			return error;
	}
}

async function close(server: Server): Promise<void> {
	const { promise, resolve } = Promise.withResolvers<void>();
	const tooLong = setTimeout(() => server.closeAllConnections(), FINISH_MS);
	let graceUntil = 0;
	if (cluster.isWorker) {
		graceUntil = performance.now() + IDLE_GRACE_MS;
		// The method of the HTTP server would close idle connections at once.
		NetServer.prototype.close.call(server, () => resolve());
	} else server.close(() => resolve());
	// An idle keep-alive connection would keep the process alive until it times out.
	const idle = setInterval(() => {
		// Not before requests are read that arrived while the process was busy.
		if (performance.now() >= graceUntil) setImmediate(() => server.closeIdleConnections());
	}, IDLE_CHECK_MS);
	await promise;
	clearInterval(idle);
	clearTimeout(tooLong);
}
