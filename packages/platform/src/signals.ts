/**
 * Tells the other processes of a deployment that something has happened. A signal may be lost: whoever depends on one
 * also looks by itself, only later.
 */
export interface Signals {
	/** To all other processes, soon, together with what else is sent then. At most 2,000 characters. */
	send(topic: string, text: string): void;
	/** What another process has sent. */
	on(topic: string, receive: (text: string) => void): void;
}

/** Sends to nobody: no other process serves the deployment. */
export const noSignals: Signals = { send() {}, on() {} };
