import { useTexts } from "../../../texts/texts.ts";
import { VERSIONS } from "./texts.ts";

interface Change {
	readonly author: string | null;
	readonly client: string | null;
}

/** Who made a change, and by what. */
export function Author({ of: { author, client } }: { readonly of: Change }) {
	const text = useTexts(VERSIONS);
	const words = [author, client === null ? null : (text.clients[client] ?? client)].filter(Boolean);
	return <span className="soft">{words.length === 0 ? text.unknownAuthor : words.join(" · ")}</span>;
}
