import assert from "node:assert/strict";
import { RunResult } from "@tripline/contract/workflows";
import type { World } from "../../scenario.ts";

export type CallOptions = Parameters<World["anyone"]["call"]>[2];

export const FORM = { "content-type": "application/x-www-form-urlencoded" };

export const webhook = (keys: object) => ({ trigger: { type: "webhook", ...keys } });

/** The address that anybody may call. */
const getPublicPath = ({ owner }: World, name: string) =>
	`/webhooks/named/${owner}/${encodeURIComponent(name)}/trigger`;

export const call = (world: World, name: string, options?: CallOptions, method = "POST") =>
	world.anyone.call(method, getPublicPath(world, name), options);

export async function receive(world: World, name: string, options?: CallOptions, method = "POST") {
	const answer = await call(world, name, options, method);
	assert.equal(answer.status, 200, JSON.stringify(answer.body));
	return (RunResult.parse(answer.body).data as { got: unknown }).got;
}

export const refuse = async (
	world: World,
	status: number,
	name: string,
	options?: CallOptions,
	method = "POST",
) => (await world.anyone.refuse(status, method, getPublicPath(world, name), options)).error;
