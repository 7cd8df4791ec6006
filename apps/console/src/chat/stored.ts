/** What this browser remembers of a chat. The messages are at the service. */
export interface Remembered {
	token: string;
	/** Null: a new one. */
	current: string | null;
	conversations: { id: string; title: string }[];
}

const KEY = `tripline ${location.pathname}`;
const MAX_CONVERSATIONS = 50;

export function loadRemembered(): Remembered {
	const remembered = { token: "", current: null, conversations: [], ...parse(read()) } as Remembered;
	const token = location.hash.slice(1);
	if (token !== "") {
		remembered.token = token;
		// So that it is not copied along with the address.
		history.replaceState(null, "", location.pathname);
		save(remembered);
	}
	return remembered;
}

export function save(remembered: Remembered): void {
	remembered.conversations.splice(MAX_CONVERSATIONS);
	try {
		localStorage.setItem(KEY, JSON.stringify(remembered));
	} catch {
		// Full or switched off: the chat works without it.
	}
}

function read(): string {
	try {
		return localStorage.getItem(KEY) ?? "{}";
	} catch {
		return "{}";
	}
}

function parse(text: string): Partial<Remembered> {
	try {
		return JSON.parse(text) as Partial<Remembered>;
	} catch {
		return {};
	}
}
