import type { ReactNode } from "react";
import { Link } from "../../router.tsx";
import { Badge } from "../../ui/badge.tsx";

interface Props {
	readonly to: string;
	readonly title: string;
	readonly type: string;
	readonly isChosen: boolean;
	/** Content below the title. */
	readonly children: ReactNode;
}

/** A row of the list or of the search results. */
export function EntryLink({ to, title, type, isChosen, children }: Props) {
	return (
		<Link className="entry-row" to={to} aria-current={isChosen ? "true" : undefined}>
			<span className="entry-row-head">
				<span className="entry-row-title">{title}</span>
				<Badge>{type}</Badge>
			</span>
			{children}
		</Link>
	);
}
