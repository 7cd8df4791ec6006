import type { ReactNode } from "react";
import { Link } from "../../router.tsx";
import { Icon } from "../../ui/icon.tsx";

/** To the list that a component was chosen from. */
export function BackLink({ to, children }: { readonly to: string; readonly children: ReactNode }) {
	return (
		<Link to={to} className="line">
			<Icon name="left" />
			{children}
		</Link>
	);
}
