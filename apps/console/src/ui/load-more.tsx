import { useRef } from "react";
import type { Action } from "../api/use-action.ts";
import { useTexts } from "../texts/texts.ts";
import { Button } from "./button.tsx";
import { COMMON } from "./common-texts.ts";
import { focusFirst } from "./focus.ts";
import { Problem } from "./problem.tsx";

/** Must directly follow its list or table. After loading, the focus moves to the first new row. */
export function LoadMore({ more }: { readonly more: Action<[]> }) {
	const text = useTexts(COMMON);
	const element = useRef<HTMLDivElement>(null);
	return (
		<div className="load-more" ref={element}>
			{more.problem !== null && <Problem error={more.problem} />}
			<Button isBusy={more.isBusy} onClick={load}>
				{more.problem === null ? text.loadMore : text.retry}
			</Button>
		</div>
	);

	async function load(): Promise<void> {
		const list = element.current?.previousElementSibling;
		const rows = () => [...(list?.querySelectorAll(":scope > li, :scope > tbody > tr") ?? [])];
		const before = rows().length;
		if (!(await more.run())) return;
		setTimeout(() => focusFirst(rows()[before] ?? null));
	}
}
