import { useSyncExternalStore } from "react";
import { issuedToken, typedToken } from "./tokens.ts";

/** The token for requests: an access token from the login, or one that the user entered. */
export interface Session {
	readonly token: string;
	/** A token the user entered lasts until the tab is closed; one from the login stays in the browser. */
	readonly isTyped: boolean;
}

let now: Session | null = readSession();
/** Why the login page is shown again; null if the user logged out in another tab. */
let endReason: "expired" | "logged out" | null = null;

function readSession(): Session | null {
	const given = typedToken.get();
	if (given !== null) return { token: given, isTyped: true };
	const token = issuedToken.get();
	return token === null ? null : { token, isTyped: false };
}

function refresh(): void {
	const next = readSession();
	if (next?.token !== now?.token) now = next;
}

export const getSession = (): Session | null => now;
/** The token from the login, which all tabs share. A tab may use an entered token instead. */
export const getIssuedToken = (): string | null => issuedToken.get();
export const getEndReason = () => endReason;

export function beginSession(token: string, { isTyped }: { readonly isTyped: boolean }): void {
	endReason = null;
	(isTyped ? typedToken : issuedToken).set(token);
	refresh();
}

/** Ends the session in this browser; `expired` shows a message on the login page. */
export function endSession(why: "expired" | "logged out"): void {
	endReason = why;
	typedToken.set(null);
	issuedToken.set(null);
	refresh();
}

export function useSession(): Session | null {
	return useSyncExternalStore((listener) => {
		const notify = () => {
			refresh();
			listener();
		};
		const off = [typedToken.subscribe(notify), issuedToken.subscribe(notify)];
		return () => {
			for (const each of off) each();
		};
	}, getSession);
}
