import type { AnchorHTMLAttributes } from "react";
import { Link } from "../router.tsx";
import { Icon, type IconName } from "./icon.tsx";

interface Props extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href"> {
	readonly to: string;
	readonly kind?: "primary" | "plain" | "quiet";
	readonly icon?: IconName;
	readonly isSmall?: boolean;
}

/** A link that looks like a button. */
export function ButtonLink({ kind = "plain", icon, isSmall = false, children, className, ...rest }: Props) {
	const classes = ["button", kind, isSmall && "small", children === undefined && "square", className];
	return (
		<Link {...rest} className={classes.filter(Boolean).join(" ")}>
			{icon && <Icon name={icon} />}
			{children}
		</Link>
	);
}
