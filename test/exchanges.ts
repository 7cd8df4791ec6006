import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import type { Outside, OutsideAnswer, OutsideRequest } from "./conformance/outside.ts";

interface Exchange {
	readonly method: string;
	readonly url: string;
	readonly headers: readonly Header[];
	readonly body: string;
	readonly answer: OutsideAnswer;
	readonly line: number;
}

type Header = readonly [name: string, value: string];

/**
 * The services that a page's workflows call: each block is a request that must be made, with at least these headers and
 * this body, and the response to it. `…` matches any text; as the `id` of a response it is that of the request.
 */
export class Exchanges {
	readonly #outside: Outside;
	readonly #expected: Exchange[] = [];
	readonly #problems: string[] = [];

	constructor(outside: Outside) {
		this.#outside = outside;
	}

	add(text: string, line: number): void {
		const exchange = parseExchange(text, line);
		this.#expected.push(exchange);
		this.#outside.serve(new URL(exchange.url.replaceAll("…", "x")).host, (request) => this.#answer(request));
	}

	/** Throws if a service got a request that the page does not show. */
	check(): void {
		const [problem] = this.#problems;
		if (problem !== undefined) assert.fail(problem);
	}

	/** Throws if a request that the page shows was not made. */
	settle(): void {
		this.check();
		const left = this.#expected.map(({ method, url, line }) => `line ${line}: ${method} ${url}`);
		assert.deepEqual(left, [], "these requests were never made");
	}

	#answer(request: OutsideRequest): OutsideAnswer {
		const asked = this.#expected.filter(
			({ method, url }) => method === request.method && fits(request.url, url),
		);
		const exchange = asked.find((each) => difference(each, request) === null) ?? asked[0];
		if (exchange === undefined) return this.#unexpected(`nobody answers ${request.method} ${request.url}`);
		this.#expected.splice(this.#expected.indexOf(exchange), 1);
		const problem = difference(exchange, request);
		return problem === null
			? fillId(exchange.answer, request)
			: this.#unexpected(`line ${exchange.line}: ${problem}`);
	}

	#unexpected(problem: string): OutsideAnswer {
		this.#problems.push(problem);
		return { status: 418, body: problem };
	}
}

/** A JSON-RPC response repeats the id of its request, which a page cannot know. */
function fillId(answer: OutsideAnswer, { body }: OutsideRequest): OutsideAnswer {
	if (typeof answer.body !== "string" || !answer.body.includes(ID)) return answer;
	const { id } = JSON.parse(body) as { readonly id?: unknown };
	return { ...answer, body: answer.body.replaceAll(ID, `"id": ${JSON.stringify(id)}`) };
}

const ID = '"id": "…"';

function difference({ headers, body }: Exchange, request: OutsideRequest): string | null {
	for (const [name, value] of headers) {
		const sent = request.headers[name];
		if (sent === undefined || !fits(sent, value)) return `the header ${name} is ${sent}, not ${value}`;
	}
	return isSameBody(request.body, body) ? null : `the body is\n${request.body}\nnot\n${body}`;
}

function isSameBody(sent: string, expected: string): boolean {
	const [value, wanted] = [parseJson(sent), parseJson(expected)];
	const isText = value === undefined || wanted === undefined || expected.includes("…");
	return isText ? fits(sent.trim(), expected) : isDeepStrictEqual(value, wanted);
}

function fits(text: string, expected: string): boolean {
	const pieces = expected.split("…").map((piece) => piece.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
	return new RegExp(`^${pieces.join(".*")}$`, "s").test(text);
}

function parseExchange(text: string, line: number): Exchange {
	const [, requested = "", status = "", answered = ""] =
		/^(.*?)^HTTP\/1\.1 (\d{3})[^\n]*\n?(.*)$/ms.exec(text) ?? [];
	const [, method = "", url = "", rest = ""] = /^([A-Z]+) (\S+)\n(.*)$/s.exec(requested) ?? [];
	assert.ok(url !== "", "an exchange is a method and an address, headers, a body, HTTP/1.1 and a status");
	const request = message(rest);
	const answer = message(answered);
	const headers = Object.fromEntries(answer.headers);
	return { method, url, ...request, answer: { status: Number(status), headers, body: answer.body }, line };
}

function message(text: string): { headers: readonly Header[]; body: string } {
	const [head = "", ...rest] = text.split(/^\n/m);
	const lines = head.split("\n").filter((line) => line !== "");
	const headers = lines.map((line): Header => {
		const [, name = "", value = ""] = /^([\w-]+): (.*)$/.exec(line) ?? [];
		assert.ok(name !== "", `${line} is no header`);
		return [name.toLowerCase(), value];
	});
	return { headers, body: rest.join("\n").trim() };
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
