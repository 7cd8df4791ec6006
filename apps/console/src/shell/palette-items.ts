import { api } from "../api/api.ts";
import type { Suggestion, WorkflowItem } from "../api/types.ts";
import { useQuery } from "../api/use-query.ts";
import { navigate } from "../router.tsx";
import { LANGUAGES, type Language, setLanguage, useTexts } from "../texts/texts.ts";
import { setTheme, THEMES } from "../theme/theme.ts";
import type { IconName } from "../ui/icon.tsx";
import { logOut } from "./log-out.tsx";
import { type Mark, matchText } from "./palette-match.ts";
import { PALETTE } from "./palette-texts.ts";
import { buildEntryPath, buildNodePath, buildWorkflowPath, PLACES } from "./places.ts";
import { SHELL } from "./texts.ts";

export interface Item {
	readonly id: string;
	readonly icon: IconName;
	readonly title: string;
	readonly detail?: string;
	/** Additional search words: the English name, in every language. */
	readonly words?: readonly string[];
	act(): void;
}

export interface Group {
	readonly title: string;
	readonly items: readonly (Item & { readonly marks: readonly Mark[] })[];
}

const MAX_ITEMS = 7;
const MAX_INITIAL_ITEMS = 4;

/** All palette items that match the query, with the best matching group first. */
export function usePaletteGroups(query: string, onShortcuts: () => void): Group[] {
	const text = useTexts(PALETTE);
	const { places } = useTexts(SHELL);
	const { data: workflows = [] } = useQuery("workflows", api.workflows.list);
	const pages = PLACES.map(
		({ id, path, icon }): Item => ({
			id: `page ${id}`,
			icon,
			title: places[id],
			words: [SHELL.en.places[id]],
			act: () => navigate(path),
		}),
	);
	const actions: Item[] = [
		{
			id: "new workflow",
			icon: "plus",
			title: text.newWorkflow,
			words: [PALETTE.en.newWorkflow],
			act: () => navigate("/new-workflow"),
		},
		{
			id: "trash",
			icon: "trash",
			title: text.trash,
			words: [PALETTE.en.trash],
			act: () => navigate("/trash"),
		},
		{
			id: "new entry",
			icon: "plus",
			title: text.newEntry,
			words: [PALETTE.en.newEntry],
			act: () => navigate("/knowledge/new"),
		},
		...THEMES.map(
			(theme): Item => ({
				id: `theme ${theme}`,
				icon: "sun",
				title: text.theme[theme],
				words: [PALETTE.en.theme[theme]],
				act: () => setTheme(theme),
			}),
		),
		...(Object.keys(LANGUAGES) as Language[]).map(
			(language): Item => ({
				id: `language ${language}`,
				icon: "settings",
				title: text.language(LANGUAGES[language]),
				words: [PALETTE.en.language(LANGUAGES[language])],
				act: () => setLanguage(language),
			}),
		),
		{ id: "shortcuts", icon: "info", title: text.shortcuts, words: [PALETTE.en.shortcuts], act: onShortcuts },
		{ id: "log out", icon: "out", title: text.logOut, words: [PALETTE.en.logOut], act: logOut },
	];
	const runs = query === "" ? [] : workflows.map((each) => toRunItem(each, text.run));
	return [
		findMatches(query, text.pages, pages, pages.length),
		findMatches(
			query,
			text.workflows,
			[...workflows.map(toOpenItem), ...runs],
			query === "" ? MAX_INITIAL_ITEMS : MAX_ITEMS,
		),
		findMatches(query, text.actions, actions, query === "" ? MAX_INITIAL_ITEMS : MAX_ITEMS),
	]
		.filter(({ items }) => items.length > 0)
		.sort((a, b) => b.best - a.best);
}

const toOpenItem = ({ name, description }: WorkflowItem): Item => ({
	id: `workflow ${name}`,
	icon: "workflow",
	title: name,
	...(description !== null && description !== undefined && { detail: description }),
	act: () => navigate(buildWorkflowPath(name)),
});

const toRunItem = ({ name }: WorkflowItem, said: (name: string) => string): Item => ({
	id: `run ${name}`,
	icon: "run",
	title: said(name),
	words: [PALETTE.en.run(name)],
	act: () => navigate(`${buildWorkflowPath(name)}?panel=run`),
});

/** Facts open in the graph, next to related facts. */
export function toEntryItem({ id, entry_type, page_name, snippet }: Suggestion): Item {
	if (entry_type === "triplet")
		return {
			id: `entry ${id}`,
			icon: "graph",
			title: snippet,
			act: () => navigate(buildNodePath(page_name)),
		};
	return {
		id: `entry ${id}`,
		icon: "knowledge",
		title: page_name,
		detail: snippet,
		act: () => navigate(buildEntryPath(id)),
	};
}

function findMatches(
	query: string,
	title: string,
	items: readonly Item[],
	max: number,
): Group & { best: number } {
	const matches = items
		.flatMap((item) => {
			const best = matchText(query, item.title);
			const other = Math.max(...(item.words ?? []).map((word) => matchText(query, word)?.score ?? -1), -1);
			if (best === null && other < 0) return [];
			return [{ ...item, marks: best?.marks ?? [], score: Math.max(best?.score ?? -1, other) }];
		})
		.sort((a, b) => (query === "" ? 0 : b.score - a.score));
	return { title, items: matches.slice(0, max), best: query === "" ? 0 : (matches[0]?.score ?? 0) };
}
