import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { TEST_CERTIFICATE } from "../packages/platform/test/tls-certificate.ts";

interface ReceivedMail {
	readonly from: string;
	readonly to: readonly string[];
	readonly message: Buffer;
	readonly isSecure: boolean;
	readonly user: string | undefined;
}

export const MAIL_USER = "ada@example.com";
export const MAIL_PASSWORD = "hush-hush-hush";

const HOST = "127.0.0.1";

/** A mail server that keeps in memory what it is sent. */
export async function openSmtpServer(options: SMTPServerOptions = {}) {
	const mails: ReceivedMail[] = [];
	/** Whether the login came over TLS. */
	const logins: boolean[] = [];
	let connections = 0;
	const server = new SMTPServer({
		...TEST_CERTIFICATE,
		authOptional: true,
		allowInsecureAuth: true,
		onConnect(_, done) {
			connections++;
			done();
		},
		onAuth({ username, password }, { secure }, done) {
			logins.push(secure);
			if (username === MAIL_USER && password === MAIL_PASSWORD) done(null, { user: username });
			else done(Object.assign(new Error("Authentication failed"), { responseCode: 535 }));
		},
		onRcptTo({ address }, _, done) {
			const code = /^(4\d\d|5\d\d)@/.exec(address)?.[1];
			if (code === undefined) done();
			else done(Object.assign(new Error("not here"), { responseCode: Number(code) }));
		},
		onData(stream, { envelope, secure, user }, done) {
			const chunks: Buffer[] = [];
			stream.on("data", (chunk: Buffer) => chunks.push(chunk));
			stream.on("end", () => {
				mails.push({
					from: envelope.mailFrom === false ? "" : envelope.mailFrom.address,
					to: envelope.rcptTo.map(({ address }) => address),
					message: Buffer.concat(chunks),
					isSecure: secure,
					user: user?.toString(),
				});
				done(null, `2.0.0 Ok: queued as ${mails.length}`);
			});
		},
		...options,
	});
	server.on("error", () => {});
	const { promise: listening, resolve } = Promise.withResolvers<void>();
	const { address } = await new Promise<{ address: () => AddressInfo }>((ready) => {
		const listener = server.listen(0, HOST, () => {
			resolve();
			ready({ address: () => listener.address() as AddressInfo });
		});
	});
	await listening;
	return {
		port: address().port,
		mails,
		logins,
		countConnections: () => connections,
		stop: () => new Promise<void>((stopped) => server.close(() => stopped())),
	};
}

/** A server that does whatever a test makes it do. */
export async function openScriptedServer(serve: (socket: Socket, lines: AsyncIterable<string>) => unknown) {
	const sockets = new Set<Socket>();
	const server: Server = createServer((socket) => {
		sockets.add(socket);
		socket.on("error", () => {});
		socket.on("close", () => sockets.delete(socket));
		Promise.resolve(serve(socket, readLines(socket))).catch(() => socket.destroy());
	});
	await new Promise<void>((ready) => server.listen(0, HOST, ready));
	return {
		port: (server.address() as AddressInfo).port,
		countOpen: () => sockets.size,
		stop: () =>
			new Promise<void>((stopped) => {
				for (const socket of sockets) socket.destroy();
				server.close(() => stopped());
			}),
	};
}

async function* readLines(socket: Socket): AsyncGenerator<string> {
	let rest = "";
	for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
		const lines = (rest + chunk.toString("latin1")).split("\r\n");
		rest = lines.pop() ?? "";
		yield* lines;
	}
}
