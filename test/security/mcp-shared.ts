import { after, before } from "node:test";
import { type Environment, node, type Platform, type Target } from "../conformance/platforms.ts";
import { type Client, createClient } from "./client.ts";

export interface Shared {
	readonly isNode: boolean;
	readonly client: Client;
	/** Available once the service runs. */
	readonly target: Target;
}

/** One service for all suites of a file, restarted with their own settings, because a fresh one takes seconds. */
export function sharedService(platform: Platform, environment: Environment): Shared {
	let target: Target | undefined;
	const getTarget = (): Target => {
		if (target === undefined) throw new Error("the service is not started yet");
		return target;
	};
	const client = createClient(() => getTarget().publicUrl);

	before(async () => {
		target = await platform.start(environment);
	});

	after(async () => {
		client.close();
		await target?.close();
	});

	return {
		isNode: platform === node,
		client,
		get target() {
			return getTarget();
		},
	};
}
