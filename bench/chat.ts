import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { hasProc, readResidentMb } from "./child.ts";
import { median } from "./measure.ts";
import type { Row, Section } from "./report.ts";
import { scratchFolder } from "./scratch.ts";
import { type Service, startService } from "./service.ts";

const WARM_UP = 100;
const CALLS = 300;
const MAX_LATER_MS = 5;
const CHATS = 500;
const MAX_CHATS_MB = 30;
const SETTLE_MS = 2_000;
const NAME = "talk";
const NAMESPACE = "default";
const PIECE = { model: "m", choices: [{ index: 0, delta: { content: "Hello" } }] };

/** How soon a chat answers, and what one costs that nobody uses. */
export async function chatSuite(onProgress: (what: string) => void): Promise<Section[]> {
	using folder = scratchFolder();
	const model = await serve(answerAsModel);
	await using service = await startService(folder.path, { env: { ALLOW_PRIVATE_HOSTS: "127.0.0.1" } });
	try {
		await saveChat(service, model.url);
		return [
			{
				title: `First words of ${CALLS} replies in OpenAI's format / by a bare proxy`,
				rows: await measureFirstWords(service, model.url, onProgress),
			},
			{ title: `${CHATS} chats that are open and idle`, rows: await measureIdle(service, onProgress) },
		];
	} finally {
		model.close();
	}
}

async function measureFirstWords(
	service: Service,
	modelUrl: string,
	onProgress: (what: string) => void,
): Promise<Row[]> {
	onProgress("first words");
	const agent = new Agent({ keepAlive: true });
	const proxy = await serve((incoming, response) => {
		const onward = request(`${modelUrl}${incoming.url}`, { method: "POST", agent }, (answer) => {
			response.writeHead(answer.statusCode ?? 500, answer.headers);
			answer.pipe(response);
		});
		incoming.pipe(onward);
	});
	const [floor, ours]: [number[], number[]] = [[], []];
	try {
		for (let nth = 0; nth < WARM_UP + CALLS; nth++) {
			const bare = await measureOne(`${proxy.url}/chat/completions`, agent);
			const own = await measureOne(`${service.publicUrl}/v1/chat/completions`, agent);
			if (nth < WARM_UP) continue;
			floor.push(bare);
			ours.push(own);
		}
	} finally {
		agent.destroy();
		proxy.close();
	}
	const [bare, own] = [median(floor), median(ours)];
	return [
		{ what: "half of them at most", unit: "ms", floor: bare, ours: own, ratio: own / bare },
		{ what: "later than the proxy", unit: "ms", ours: own - bare, bar: { on: "ours", most: MAX_LATER_MS } },
	];
}

/** Milliseconds until the first word arrives; resolves when the answer is complete. */
async function measureOne(url: string, agent: Agent): Promise<number> {
	const started = performance.now();
	const sent = request(url, {
		method: "POST",
		agent,
		headers: { authorization: `Bearer ${NAMESPACE}`, "content-type": "application/json" },
	});
	sent.end(JSON.stringify({ model: NAME, stream: true, messages: [{ role: "user", content: "Hi" }] }));
	const [answer] = (await once(sent, "response")) as [IncomingMessage];
	let first = 0;
	let text = "";
	for await (const chunk of answer) {
		text += chunk;
		if (first === 0 && text.includes('"Hello"')) first = performance.now() - started;
	}
	if (first === 0) throw new Error(`no word in ${answer.statusCode} ${text}`);
	return first;
}

async function measureIdle(service: Service, onProgress: (what: string) => void): Promise<Row[]> {
	if (!hasProc) {
		onProgress("resident memory is read from /proc: left out on this platform");
		return [];
	}
	onProgress(`${CHATS} chats`);
	const token = await makeToken(service);
	// What any chat needs is loaded before, and as many runs have been made.
	for (let nth = 0; nth < CHATS; nth++) await openChat(service, token);
	await wait(SETTLE_MS);
	const floor = readResidentMb(service);
	for (let nth = 0; nth < CHATS; nth++) await openChat(service, token);
	await wait(SETTLE_MS);
	const ours = readResidentMb(service);
	return [
		{ what: "resident, before and with them", unit: "MB", floor, ours },
		{
			what: "resident, beyond that",
			unit: "MB",
			ours: ours - floor,
			bar: { on: "ours", most: MAX_CHATS_MB },
		},
	];
}

/** What a browser does that opens the page and sends one message. */
async function openChat({ publicUrl }: Service, token: string): Promise<void> {
	const path = `${publicUrl}/chat/${NAMESPACE}/${NAME}`;
	const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
	await (await fetch(path)).text();
	await (await fetch(`${path}/settings`, { headers })).text();
	const body = JSON.stringify({ message: "Hi" });
	const answer = await fetch(`${path}/messages`, { method: "POST", headers, body });
	const events = await answer.text();
	if (!events.includes("event: done")) throw new Error(`no reply in ${answer.status} ${events}`);
}

const OWNERS = { "x-service-api-key": NAMESPACE, "content-type": "application/json" };

async function makeToken({ publicUrl }: Service): Promise<string> {
	const url = `${publicUrl}/workflows/${NAME}/chat-links`;
	const answer = await fetch(url, { method: "POST", headers: OWNERS, body: "{}" });
	return new URL(((await answer.json()) as { url: string }).url).hash.slice(1);
}

async function saveChat({ publicUrl }: Service, base_url: string): Promise<void> {
	const ask = { component: "llm_chat", base_url, model: "m", stream: true, messages: "{{input.messages}}" };
	const answer = await fetch(`${publicUrl}/workflows`, {
		method: "POST",
		headers: OWNERS,
		body: JSON.stringify({
			...{ name: NAME, description: "Talks", version: "1", trigger: { type: "webhook", chat: {} } },
			triplets: ["input >> then >> ask"],
			config: { ask },
		}),
	});
	if (!answer.ok) throw new Error(`the workflow is not saved: ${await answer.text()}`);
}

type Handle = Parameters<typeof createServer>[1] & {};

const answerAsModel: Handle = (incoming, response) => {
	incoming.resume().on("end", () => {
		response.writeHead(200, { "content-type": "text/event-stream" });
		response.write(`data: ${JSON.stringify(PIECE)}\n\n`);
		response.end("data: [DONE]\n\n");
	});
};

async function serve(handle: Handle): Promise<{ readonly url: string; close(): void }> {
	const server: Server = createServer(handle).listen(0, "127.0.0.1");
	await once(server, "listening");
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		close() {
			server.closeAllConnections();
			server.close();
		},
	};
}
