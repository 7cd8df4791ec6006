import { createHmac } from "node:crypto";
import type { Graph } from "@tripline/contract/workflows";

/** The triggered workflow: set, template, if. */
export const threeNodes = (id: string): Graph => ({
	id,
	nodes: [
		{
			id: "order",
			component: "set",
			params: { values: { customer: "{{input.customer}}", total: "{{input.total}}" } },
		},
		{
			id: "greeting",
			component: "template",
			params: { text: "Hello {{order.customer}}, your order of {{order.total}} is in." },
		},
		{ id: "is large", component: "if", params: { condition: "order.total > 100" } },
	],
	edges: [
		{ from: "order", to: "greeting", on: "ON_SUCCESS" },
		{ from: "greeting", to: "is large", on: "ON_SUCCESS" },
	],
});

export const CONTEXT = { customer: "Ada Lovelace", total: 120, items: [{ sku: "A-1", count: 2 }] };
export const BODY = JSON.stringify(CONTEXT);

/** A trigger request as an ordinary client sends it. */
export const triggerRequest = (target: string, headers: Readonly<Record<string, string>> = {}): string =>
	[
		`POST ${target} HTTP/1.1`,
		"host: 127.0.0.1",
		"user-agent: bench",
		"accept: */*",
		"content-type: application/json",
		`content-length: ${BODY.length}`,
		...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
		"",
		BODY,
	].join("\r\n");

export const githubSignature = (secret: string): string =>
	`sha256=${createHmac("sha256", secret).update(BODY).digest("hex")}`;
