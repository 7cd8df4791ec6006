import type { ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";

interface Props {
	readonly icon: IconName;
	readonly title: string;
	/** A hint on the first step. */
	readonly children?: ReactNode;
	readonly action?: ReactNode;
}

export function Empty({ icon, title, children, action }: Props) {
	return (
		<div className="empty">
			<Icon name={icon} size={28} />
			<p className="empty-title">{title}</p>
			{children !== undefined && <div className="soft">{children}</div>}
			{action}
		</div>
	);
}
