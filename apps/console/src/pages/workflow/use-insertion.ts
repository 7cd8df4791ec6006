import { useEffect, useRef } from "react";
import { api } from "../../api/api.ts";
import { useSearch } from "../../router.tsx";
import { useTexts } from "../../texts/texts.ts";
import { toast } from "../../ui/toasts.tsx";
import { insertNode } from "../components/insert.ts";
import { renderSettings } from "../components/parameters.ts";
import type { Draft } from "./text/use-draft.ts";
import { WORKFLOW } from "./texts.ts";

/** Inserts the component named in the address (`?insert=`) into the text once. The user saves it. */
export function useInsertion(draft: Pick<Draft, "text" | "set">): void {
	const text = useTexts(WORKFLOW);
	const [search, changeSearch] = useSearch();
	const component = search.get("insert");
	const latest = useRef(draft);
	latest.current = draft;
	const done = useRef<string | null>(null);

	useEffect(() => {
		if (component === null || done.current === component) return;
		done.current = component;
		insert(component).catch((error: Error) => toast(error.message));
		changeSearch({ insert: null });

		async function insert(id: string): Promise<void> {
			const { params } = await api.components.get(id);
			const settings = renderSettings(id, params);
			const next = insertNode(latest.current.text, id, settings);
			if (next !== null) return latest.current.set(next);
			await navigator.clipboard.writeText(settings);
			toast(text.insertFailed);
		}
	}, [component, changeSearch, text]);
}
