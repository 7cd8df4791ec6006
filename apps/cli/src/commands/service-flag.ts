import type { Command } from "../command.ts";

const serviceFlag = {
	name: "service",
	value: "name",
	about: "call this service of tripline.json instead of the configured one",
} as const;

/** For commands that call the executor. */
export const addServiceFlag = (command: Command): Command => ({
	...command,
	flags: [...command.flags, serviceFlag],
});
