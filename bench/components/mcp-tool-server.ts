import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** An MCP server that costs its clients as little as one can: one tool, answers as JSON or, at `/events`, as a stream. */
const TOOL = {
	name: "order",
	description: "An order by its number",
	inputSchema: {
		type: "object",
		properties: { number: { type: "string" }, lines: { type: "boolean" } },
		required: ["number"],
		additionalProperties: false,
	},
	outputSchema: {
		type: "object",
		properties: { number: { type: "string" }, total: { type: "number" }, paid: { type: "boolean" } },
		required: ["number", "total", "paid"],
		additionalProperties: false,
	},
};

interface Message {
	readonly id?: number;
	readonly method: string;
	readonly params?: { readonly arguments?: { readonly number?: string } };
}

function respond({ method, params }: Message): object | null {
	switch (method) {
		case "initialize":
			return {
				protocolVersion: "2025-11-25",
				capabilities: { tools: {} },
				serverInfo: { name: "orders", version: "1" },
			};
		case "tools/list":
			return { tools: [TOOL] };
		case "tools/call": {
			const order = { number: params?.arguments?.number ?? "", total: 119.5, paid: true };
			return { content: [{ type: "text", text: JSON.stringify(order) }], structuredContent: order };
		}
		default:
			return null;
	}
}

function answer(response: ServerResponse, isStream: boolean, message: object): void {
	const text = JSON.stringify(message);
	if (isStream) {
		response.writeHead(200, { "content-type": "text/event-stream" });
		response.end(`event: message\ndata: ${text}\n\n`);
	} else {
		response.writeHead(200, {
			"content-type": "application/json",
			"content-length": Buffer.byteLength(text),
		});
		response.end(text);
	}
}

const server = createServer({ keepAliveTimeout: 60_000 }, async (request, response) => {
	if (request.method !== "POST") {
		response.writeHead(405).end();
		return;
	}
	const message = (await json(request)) as Message;
	if (message.id === undefined) {
		response.writeHead(202).end();
		return;
	}
	const { id } = message;
	const result = respond(message);
	const error = { code: -32601, message: "unknown method" };
	answer(response, request.url === "/events", {
		jsonrpc: "2.0",
		id,
		...(result === null ? { error } : { result }),
	});
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
console.log(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}`);
process.on("SIGTERM", () => process.exit());
