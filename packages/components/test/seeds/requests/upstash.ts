import { toExchanges } from "../exchange.ts";

export const upstashRedis = toExchanges(
	{
		id: "upstash_redis",
		authRecipe: "upstash_redis",
		fields: { host: "us1-merry-cat-32748.upstash.io", token: "test-upstash-token" },
		base: "https://us1-merry-cat-32748.upstash.io",
		headers: { authorization: "Bearer test-upstash-token" },
	},
	{
		get: {
			params: { key: "foo" },
			sends: "POST ",
			json: ["GET", "foo"],
			answer: { result: "bar" },
			output: "bar",
		},
		set: {
			params: { key: "user/7", value: "Ada & co", expires_in: 100 },
			sends: "POST /set/user%2F7?EX=100",
			headers: { "content-type": "text/plain;charset=UTF-8" },
			text: "Ada & co",
			answer: { result: "OK" },
			output: "OK",
		},
		set_if_absent: {
			params: { key: "lock", value: "1", expires_in: 60 },
			sends: "POST ",
			json: ["SET", "lock", "1", "NX", "EX", 60],
			answer: { result: null },
			output: null,
		},
		delete: {
			params: { key: "foo" },
			sends: "POST ",
			json: ["DEL", "foo"],
			answer: { result: 1 },
			output: 1,
		},
		increment: {
			params: { key: "visits" },
			sends: "POST ",
			json: ["INCRBY", "visits", 1],
			answer: { result: 8 },
			output: 8,
		},
		expire: {
			params: { key: "foo", seconds: 60 },
			sends: "POST ",
			json: ["EXPIRE", "foo", 60],
			answer: { result: 1 },
			output: 1,
		},
		hash_set: {
			params: { key: "user:7", field: "name", value: "Ada" },
			sends: "POST ",
			json: ["HSET", "user:7", "name", "Ada"],
			answer: { result: 1 },
			output: 1,
		},
		hash_get_all: {
			params: { key: "user:7" },
			sends: "POST ",
			json: ["HGETALL", "user:7"],
			answer: { result: ["name", "Ada"] },
			output: ["name", "Ada"],
		},
		list_push: {
			params: { key: "jobs", value: "42" },
			sends: "POST ",
			json: ["RPUSH", "jobs", "42"],
			answer: { result: 1 },
			output: 1,
		},
		list_range: {
			params: { key: "jobs" },
			sends: "POST ",
			json: ["LRANGE", "jobs", 0, -1],
			answer: { result: ["42"] },
			output: ["42"],
		},
		command: {
			params: { command: ["TTL", "foo"] },
			sends: "POST ",
			json: ["TTL", "foo"],
			answer: { result: 59 },
			output: 59,
		},
		pipeline: {
			params: {
				commands: [
					["INCR", "visits"],
					["EXPIRE", "visits", 86_400],
				],
			},
			sends: "POST /pipeline",
			json: [
				["INCR", "visits"],
				["EXPIRE", "visits", 86_400],
			],
			answer: [{ result: 9 }, { result: 1 }],
		},
	},
);
