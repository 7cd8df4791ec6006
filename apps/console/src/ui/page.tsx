import { type ReactNode, useEffect } from "react";

interface Props {
	readonly title: string;
	/** Replaces the title text if the heading has more than text. */
	readonly heading?: ReactNode;
	readonly lead?: ReactNode;
	readonly actions?: ReactNode;
	readonly children: ReactNode;
	/** Uses the full width and height, for editors and graphs. */
	readonly isWide?: boolean;
}

/** Page frame: heading, actions and content. */
export function Page({ title, heading, lead, actions, children, isWide = false }: Props) {
	useEffect(() => {
		document.title = `${title} · Tripline`;
	}, [title]);
	return (
		<div className={isWide ? "page wide" : "page"}>
			<header className="page-head">
				<div>
					<h1>{heading ?? title}</h1>
					{lead !== undefined && <p className="lead">{lead}</p>}
				</div>
				{actions !== undefined && <div className="actions">{actions}</div>}
			</header>
			{children}
		</div>
	);
}
