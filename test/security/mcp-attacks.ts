import type { Answer } from "./client.ts";
import { CALLBACK, type Login, parseLocation } from "./mcp-login.ts";

/** One attempt of an attack with its answer. */
type Tried = readonly [about: string, answer: Answer];

/** Attacks by description, each with all its attempts. */
export type Attacks = Readonly<Record<string, (login: Login) => AsyncGenerator<Tried>>>;

/** Whether the attack failed: no token, no code, and no redirect except to the client with an error. */
export function hasFailed({ target }: Login, answer: Answer): boolean {
	const { status, headers, text } = answer;
	if (/access_token"?\s*[:=]/.test(text) || INJECTED.some((name) => headers[name] !== undefined))
		return false;
	const location = parseLocation(answer);
	if (location === null) return status >= 400 && status < 500;
	const { searchParams } = location;
	const isToClient = location.origin + location.pathname === CALLBACK && location.hash === "";
	const isFromHere = searchParams.getAll("iss").join() === target.publicUrl;
	return status === 302 && isToClient && isFromHere && searchParams.has("error") && !searchParams.has("code");
}

/** Headers that attacks try to inject into answers. */
const INJECTED = ["set-cookie", "x-injected"];

/** Runs the attempts in sequence, because codes and counters belong to one attempt at a time. */
export async function tryAll(
	attacks: Attacks,
	login: Login,
	count: (isRefused: boolean, about: string) => void,
): Promise<void> {
	for (const [name, attack] of Object.entries(attacks)) {
		for await (const [about, answer] of attack(login)) {
			const shown = `${name}: ${about.slice(0, 120)}: ${answer.status} ${answer.headers.location ?? answer.text.slice(0, 200)}`;
			count(hasFailed(login, answer), shown);
		}
		const strangers = await login.strangers();
		count(strangers.length === 0, `${name}: ${strangers.length} tokens were issued`);
	}
}
