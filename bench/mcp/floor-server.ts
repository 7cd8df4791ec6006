import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";

/** The SDK set up as in its documentation: one tool that does nothing, no login. */
const handler = createMcpHandler(() => {
	const server = new McpServer({ name: "floor", version: "1" });
	server.registerTool("empty", { description: "Nothing", inputSchema: z.object({}) }, async () => ({
		content: [{ type: "text", text: "{}" }],
	}));
	return server;
});

const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
server.listen(0, "127.0.0.1", () => {
	console.log(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.on("SIGTERM", () => process.exit());

async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
	const chunks: Buffer[] = [];
	for await (const chunk of incoming) chunks.push(chunk as Buffer);
	const request = new Request(`http://${incoming.headers.host}${incoming.url}`, {
		method: incoming.method ?? "POST",
		headers: incoming.headers as Record<string, string>,
		body: Buffer.concat(chunks),
	});
	const response = await handler.fetch(request);
	const text = await response.text();
	outgoing.writeHead(response.status, {
		...Object.fromEntries(response.headers),
		"content-length": Buffer.byteLength(text),
	});
	outgoing.end(text);
}
