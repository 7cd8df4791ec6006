import type { Account } from "./account.ts";
import { Refusal } from "./answer.ts";
import { WORKERS } from "./api.ts";
import type { Script } from "./script.ts";

export const SCRIPTS = "/workers/scripts";
export const READ = { permission: "Workers Scripts Read", product: WORKERS } as const;
export const WRITE = { permission: "Workers Scripts Write", product: WORKERS } as const;

export function getScript(account: Account, name: string): Script {
	const script = account.scripts.get(name);
	if (script !== undefined) return script;
	throw new Refusal(404, 10007, "This Worker does not exist on your account.");
}
