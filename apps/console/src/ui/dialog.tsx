import { type ReactNode, useEffect, useId, useRef } from "react";
import { useTexts } from "../texts/texts.ts";
import { Button } from "./button.tsx";
import { COMMON } from "./common-texts.ts";
import { focusUnlessHeld, rememberFocus } from "./focus.ts";

interface Props {
	readonly title: string;
	onClose(): void;
	readonly children: ReactNode;
	/** Buttons in the footer. */
	readonly actions?: ReactNode;
	readonly className?: string;
}

/**
 * A native modal dialog: the browser traps and restores the focus, and Escape closes it. It is open while mounted. If
 * the element that opened it is gone, the focus moves to the nearest control.
 */
export function Dialog({ title, onClose, children, actions, className = "" }: Props) {
	const id = useId();
	const text = useTexts(COMMON);
	const element = useRef<HTMLDialogElement>(null);
	useEffect(() => {
		const dialog = element.current;
		const opener = rememberFocus(document.activeElement);
		dialog?.showModal();
		return () => {
			dialog?.close();
			focusUnlessHeld(opener);
		};
	}, []);
	return (
		<dialog ref={element} className={`dialog ${className}`} aria-labelledby={id} onCancel={onClose}>
			<header>
				<h2 id={id}>{title}</h2>
				<Button kind="quiet" icon="cross" aria-label={text.close} onClick={onClose} />
			</header>
			<div className="dialog-body">{children}</div>
			{actions !== undefined && <footer>{actions}</footer>}
		</dialog>
	);
}

interface ConfirmProps {
	readonly title: string;
	/** Label of the confirm button, a verb. */
	readonly verb: string;
	/** Label of the button that closes the dialog; default "Cancel". */
	readonly dismiss?: string;
	readonly isBusy?: boolean;
	readonly children: ReactNode;
	onConfirm(): void;
	onClose(): void;
}

/** Asks for confirmation before an action that cannot be undone. */
export function Confirm({
	title,
	verb,
	dismiss,
	isBusy = false,
	children,
	onConfirm,
	onClose,
}: ConfirmProps) {
	const text = useTexts(COMMON);
	return (
		<Dialog
			title={title}
			onClose={onClose}
			actions={
				<>
					<Button onClick={onClose}>{dismiss ?? text.cancel}</Button>
					<Button kind="danger" isBusy={isBusy} onClick={onConfirm}>
						{verb}
					</Button>
				</>
			}
		>
			{children}
		</Dialog>
	);
}
