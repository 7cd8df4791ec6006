import type { ApiRecipe } from "@tripline/contract/recipes";
import { integer, list, text } from "../schema-words.ts";
import { anyOf, object, params } from "./schema.ts";

const key = text("The key");
const value = text("The value");
const seconds = integer("Seconds until it expires", { minimum: 1 });
const result = { description: "Redis' answer; null if the key does not exist" };
const argument = anyOf([{ type: "string" }, { type: "number" }], "A word of the command");
const command = list(argument, "A command, such as [SET, key, value]", { minItems: 1 });

/** Commands as JSON lists, which need no encoding. */
const send = (...words: string[]) => ({
	method: "POST" as const,
	path: "",
	body: { kind: "json" as const, value: words },
});
const returns = (schema: typeof result) => ({ value: "{{data.result}}", schema });

export const upstashRedis: ApiRecipe = {
	id: "upstash_redis",
	category: "data",
	title: "Upstash Redis",
	description: "Values, counters, hashes and lists in an Upstash Redis database.",
	auth: "upstash_redis",
	base_url: "https://{{credential.host}}",
	docs_url: "https://upstash.com/docs/redis/features/restapi",
	operations: {
		get: {
			title: "Get a value",
			...send("GET", "{{params.key}}"),
			params: params({ key }),
			output: returns(result),
			examples: [{ title: "One", params: { key: "session:7" } }],
		},
		set: {
			title: "Set a value",
			method: "POST",
			path: "/set/{key}",
			params: params({ key, value }, { expires_in: seconds }),
			query: { EX: "{{params.expires_in}}" },
			body: { kind: "text", text: "{{params.value}}" },
			output: returns({ description: "OK" }),
			examples: [{ title: "For an hour", params: { key: "session:7", value: "ada", expires_in: 3600 } }],
		},
		set_if_absent: {
			title: "Set a value if the key does not exist",
			description: "For locks and to do something only once: null means that the key existed already.",
			...send("SET", "{{params.key}}", "{{params.value}}", "NX", "EX", "{{params.expires_in}}"),
			params: params({ key, value, expires_in: seconds }),
			output: returns({ description: "OK, or null if the key exists" }),
			examples: [{ title: "A lock", params: { key: "lock:report", value: "1", expires_in: 60 } }],
		},
		delete: {
			title: "Delete a key",
			...send("DEL", "{{params.key}}"),
			params: params({ key }),
			output: returns({ description: "1, or 0 if the key does not exist" }),
			examples: [{ title: "One", params: { key: "session:7" } }],
		},
		increment: {
			title: "Increment a counter",
			...send("INCRBY", "{{params.key}}", "{{params.by}}"),
			params: params({ key }, { by: integer("Amount; negative to decrement", { default: 1 }) }),
			output: returns({ description: "The new value" }),
			examples: [{ title: "Count a visit", params: { key: "visits" } }],
		},
		expire: {
			title: "Let a key expire",
			...send("EXPIRE", "{{params.key}}", "{{params.seconds}}"),
			params: params({ key, seconds }),
			output: returns({ description: "1, or 0 if the key does not exist" }),
			examples: [{ title: "In a minute", params: { key: "session:7", seconds: 60 } }],
		},
		hash_set: {
			title: "Set a field of a hash",
			...send("HSET", "{{params.key}}", "{{params.field}}", "{{params.value}}"),
			params: params({ key, field: text("The field's name"), value }),
			output: returns({ description: "1 if the field is new, otherwise 0" }),
			examples: [{ title: "A name", params: { key: "user:7", field: "name", value: "Ada" } }],
		},
		hash_get_all: {
			title: "Get all fields of a hash",
			...send("HGETALL", "{{params.key}}"),
			params: params({ key }),
			output: returns({ description: "Fields and values in turn" }),
			examples: [{ title: "A user", params: { key: "user:7" } }],
		},
		list_push: {
			title: "Append a value to a list",
			...send("RPUSH", "{{params.key}}", "{{params.value}}"),
			params: params({ key, value }),
			output: returns({ description: "Length of the list" }),
			examples: [{ title: "A job", params: { key: "jobs", value: "42" } }],
		},
		list_range: {
			title: "Get values of a list",
			...send("LRANGE", "{{params.key}}", "{{params.start}}", "{{params.stop}}"),
			params: params(
				{ key },
				{
					start: integer("First index; negative from the end", { default: 0 }),
					stop: integer("Last index; -1 for the end", { default: -1 }),
				},
			),
			output: { value: "{{data.result}}", schema: list(text("A value"), "The values") },
			examples: [{ title: "All", params: { key: "jobs" } }],
		},
		command: {
			title: "Run any command",
			method: "POST",
			path: "",
			params: params({ command }),
			body: { kind: "json", value: "{{params.command}}" },
			output: returns({ description: "Redis' answer" }),
			examples: [{ title: "Time to live", params: { command: ["TTL", "session:7"] } }],
		},
		pipeline: {
			title: "Run several commands",
			method: "POST",
			path: "/pipeline",
			params: params({ commands: list(command, "The commands", { minItems: 1 }) }),
			body: { kind: "json", value: "{{params.commands}}" },
			output: {
				schema: list(object("{ result } or { error }"), "An answer for each command"),
			},
			examples: [
				{
					title: "Two",
					params: {
						commands: [
							["INCR", "visits"],
							["EXPIRE", "visits", 86_400],
						],
					},
				},
			],
		},
	},
};
