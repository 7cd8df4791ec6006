import * as z from "zod";
import { Refusal } from "./answer.ts";
import { createRoute } from "./api.ts";
import type { Script } from "./script.ts";
import { getScript, READ, SCRIPTS, WRITE } from "./script-access.ts";

const SCRIPT = `${SCRIPTS}/:script`;
/** The limit of the free plan, for all scripts of the account. */
const MAX_CRONS = 5;

const schedules = createRoute({
	...READ,
	method: "GET",
	path: `${SCRIPT}/schedules`,
	handle: ({ account, param }) => ({ result: { schedules: getScript(account, param("script")).schedules } }),
});

const putSchedules = createRoute({
	...WRITE,
	method: "PUT",
	path: `${SCRIPT}/schedules`,
	body: z.array(z.strictObject({ cron: z.string() })),
	handle({ account, param, body }) {
		const script = getScript(account, param("script"));
		if (!body.every(({ cron }) => isCron(cron))) throw new Refusal(400, 10100, "invalid cron string");
		const others = [...account.scripts.values()].filter((other) => other !== script);
		if (others.reduce((sum, other) => sum + other.schedules.length, body.length) > MAX_CRONS) {
			const message = "This account has reached the Workers Free limit of 5 cron triggers per account.";
			throw new Refusal(400, 10072, message);
		}
		const now = new Date().toISOString();
		script.schedules = body.map(({ cron }) => ({ cron, created_on: now, modified_on: now }));
		return { result: { schedules: script.schedules } };
	},
});

const accountSubdomain = createRoute({
	...READ,
	method: "GET",
	path: "/workers/subdomain",
	handle({ account: { subdomain } }) {
		if (subdomain === null) throw new Refusal(404, 10007, "You do not have a workers.dev subdomain.");
		return { result: { subdomain } };
	},
});

const registerSubdomain = createRoute({
	...WRITE,
	method: "PUT",
	path: "/workers/subdomain",
	body: z.strictObject({ subdomain: z.string() }),
	handle({ account, body: { subdomain } }) {
		if (account.subdomain !== null && account.subdomain !== subdomain) {
			throw new Refusal(409, 10036, "Account already has an associated subdomain.");
		}
		if (account.takenSubdomains.has(subdomain) || !/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(subdomain)) {
			throw new Refusal(409, 10031, "Subdomain is unavailable, please try a different subdomain");
		}
		account.subdomain = subdomain;
		account.runtime.changed();
		return { result: { subdomain } };
	},
});

const scriptSubdomain = createRoute({
	...READ,
	method: "GET",
	path: `${SCRIPT}/subdomain`,
	handle: ({ account, param }) => ({ result: getScript(account, param("script")).onSubdomain }),
});

const enableSubdomain = createRoute({
	...WRITE,
	method: "POST",
	path: `${SCRIPT}/subdomain`,
	body: z.strictObject({ enabled: z.boolean(), previews_enabled: z.boolean().optional() }),
	handle({ account, param, body: { enabled, previews_enabled } }) {
		const script: Script = getScript(account, param("script"));
		if (enabled && account.subdomain === null) {
			throw new Refusal(400, 10063, "You need a workers.dev subdomain in order to proceed.");
		}
		script.onSubdomain = { enabled, previews_enabled: previews_enabled ?? enabled };
		return { result: script.onSubdomain };
	},
});

export const triggerRoutes = [
	schedules,
	putSchedules,
	accountSubdomain,
	registerSubdomain,
	scriptSubdomain,
	enableSubdomain,
];

/** Minute, hour, day, month and weekday; weekdays count from 1. */
function isCron(cron: string): boolean {
	const fields = cron.split(" ");
	return (
		fields.length === 5 && fields.every((field) => /^[\dA-Z*/,L#W-]+$/i.test(field)) && fields[4] !== "0"
	);
}
