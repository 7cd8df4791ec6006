import type { ButtonHTMLAttributes } from "react";
import { Icon, type IconName } from "./icon.tsx";

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
	readonly kind?: "primary" | "plain" | "quiet" | "danger";
	readonly icon?: IconName;
	readonly isBusy?: boolean;
	readonly isSmall?: boolean;
}

export function Button({
	kind = "plain",
	icon,
	isBusy = false,
	isSmall = false,
	children,
	className,
	...rest
}: Props) {
	const classes = ["button", kind, isSmall && "small", children === undefined && "square", className];
	return (
		<button
			type="button"
			{...rest}
			className={classes.filter(Boolean).join(" ")}
			disabled={rest.disabled === true || isBusy}
			aria-busy={isBusy || undefined}
		>
			{isBusy ? <span className="spinner" /> : icon && <Icon name={icon} />}
			{children}
		</button>
	);
}
