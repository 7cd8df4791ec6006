import type { ButtonHTMLAttributes, MouseEvent } from "react";
import { Icon, type IconName } from "./icon.tsx";

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
	readonly kind?: "primary" | "plain" | "quiet" | "danger";
	readonly icon?: IconName;
	readonly isBusy?: boolean;
	readonly isSmall?: boolean;
}

/** Also blocks submitting a form by keyboard, which clicks its submit button. */
const ignoreClick = (event: MouseEvent): void => event.preventDefault();

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
			// Not `disabled`, because a disabled button loses the focus.
			{...(isBusy && { "aria-busy": true, "aria-disabled": true, onClick: ignoreClick })}
		>
			{isBusy ? <span className="spinner" /> : icon && <Icon name={icon} />}
			{children}
		</button>
	);
}
