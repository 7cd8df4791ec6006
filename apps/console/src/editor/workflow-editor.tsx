import { useEffect, useRef } from "react";
import type { ComponentItem, Diagnostic } from "../api/types.ts";
import { useTexts } from "../texts/texts.ts";
import { type Editor, mountEditor } from "./mount.ts";
import { EDITOR } from "./texts.ts";

interface Props {
	readonly value: string;
	onChange(text: string): void;
	readonly diagnostics: readonly Diagnostic[];
	readonly components: readonly ComponentItem[];
	readonly isReadOnly?: boolean;
	onSave?(): void;
	onRun?(): void;
	/** A new object moves there again, even with the same position. */
	readonly goTo?: { readonly line?: number; readonly column?: number } | null;
	readonly label: string;
}

export function WorkflowEditor(props: Props) {
	const { value, diagnostics, isReadOnly = false, goTo = null, label } = props;
	const text = useTexts(EDITOR);
	const host = useRef<HTMLDivElement>(null);
	const editor = useRef<Editor | null>(null);
	const latest = useRef(props);
	latest.current = props;

	useEffect(() => {
		if (host.current === null) return;
		const mounted = mountEditor(host.current, {
			value: latest.current.value,
			label,
			texts: text,
			components: () => latest.current.components,
			onChange: (next) => latest.current.onChange(next),
			onSave: () => latest.current.onSave?.(),
			onRun: () => latest.current.onRun?.(),
		});
		mounted.setReadOnly(latest.current.isReadOnly ?? false);
		mounted.setDiagnostics(latest.current.diagnostics);
		editor.current = mounted;
		return () => {
			editor.current = null;
			mounted.destroy();
		};
	}, [label, text]);

	useEffect(() => editor.current?.setReadOnly(isReadOnly), [isReadOnly]);
	useEffect(() => editor.current?.setValue(value), [value]);
	useEffect(() => editor.current?.setDiagnostics(diagnostics), [diagnostics]);
	useEffect(() => {
		if (goTo !== null) editor.current?.goTo(goTo);
	}, [goTo]);

	return <div ref={host} className="workflow-editor" />;
}
