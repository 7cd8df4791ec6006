import assert from "node:assert/strict";
import { test } from "node:test";
import { readNeeds } from "../src/promote/needs.ts";

test("a workflow with an agent needs what its tools need", () => {
	const { components, credentials, workflows } = readNeeds(`name: support
description: Answers customers
version: "1"
triplets:
  - input >> then >> answer
config:
  answer:
    component: agent
    model: m
    prompt: Hello
    credential: openai
    tools:
      - workflow: order status
      - component: "mcp:docs.search"
        credential: docs
      - { component: http_request, params: { url: "https://example.com/{{credential.shop.id}}" } }
`);
	assert.deepEqual([...components].sort(), ["agent", "http_request", "mcp:docs.search"]);
	assert.deepEqual([...credentials].sort(), ["docs", "openai", "shop"]);
	assert.deepEqual([...workflows], ["order status"]);
});
