import { createEdgeArrowHeadProgram, createEdgeCompoundProgram, EdgeProgram } from "sigma/rendering";
import type { EdgeDisplayData, NodeDisplayData, RenderParams } from "sigma/types";
import { floatColor } from "sigma/utils";

const UNIFORMS = ["u_matrix", "u_sizeRatio", "u_correctionRatio", "u_minThickness", "u_size"] as const;

const VERTEX_SHADER = `
attribute vec4 a_id;
attribute vec4 a_color;
attribute vec2 a_start;
attribute vec2 a_end;
attribute vec2 a_normal;
attribute float a_end_share;
attribute float a_side;
uniform mat3 u_matrix;
uniform float u_sizeRatio;
uniform float u_correctionRatio;
uniform float u_minThickness;
uniform vec2 u_size;
varying vec4 v_color;
varying float v_along;
const float bias = 255.0 / 254.0;

void main() {
	float thickness = max(length(a_normal), u_minThickness * u_sizeRatio) * u_correctionRatio / u_sizeRatio;
	vec2 place = mix(a_start, a_end, a_end_share) + normalize(a_normal) * a_side * thickness;
	gl_Position = vec4((u_matrix * vec3(place, 1)).xy, 0, 1);
	vec2 across = (u_matrix * vec3(a_end, 1)).xy - (u_matrix * vec3(a_start, 1)).xy;
	v_along = a_end_share * length(across * u_size * 0.5);
	#ifdef PICKING_MODE
	v_color = a_id;
	#else
	v_color = a_color;
	#endif
	v_color.a *= bias;
}
`;

/** Dashes are measured in pixels of the screen, whatever the zoom. */
const FRAGMENT_SHADER = `
precision mediump float;
varying vec4 v_color;
varying float v_along;

void main(void) {
	#ifndef PICKING_MODE
	if (mod(v_along, 10.0) > 6.0) discard;
	#endif
	gl_FragColor = v_color;
}
`;

class DashedLine extends EdgeProgram<(typeof UNIFORMS)[number]> {
	getDefinition() {
		const { FLOAT, UNSIGNED_BYTE, TRIANGLES } = WebGLRenderingContext;
		return {
			VERTICES: 6,
			VERTEX_SHADER_SOURCE: VERTEX_SHADER,
			FRAGMENT_SHADER_SOURCE: FRAGMENT_SHADER,
			METHOD: TRIANGLES as 4,
			UNIFORMS,
			ATTRIBUTES: [
				{ name: "a_start", size: 2, type: FLOAT },
				{ name: "a_end", size: 2, type: FLOAT },
				{ name: "a_normal", size: 2, type: FLOAT },
				{ name: "a_color", size: 4, type: UNSIGNED_BYTE, normalized: true },
				{ name: "a_id", size: 4, type: UNSIGNED_BYTE, normalized: true },
			],
			CONSTANT_ATTRIBUTES: [
				{ name: "a_end_share", size: 1, type: FLOAT },
				{ name: "a_side", size: 1, type: FLOAT },
			],
			CONSTANT_DATA: [
				[0, 1],
				[0, -1],
				[1, 1],
				[1, 1],
				[0, -1],
				[1, -1],
			],
		};
	}

	processVisibleItem(
		index: number,
		at: number,
		from: NodeDisplayData,
		to: NodeDisplayData,
		{ size, color }: EdgeDisplayData,
	): void {
		const [dx, dy] = [to.x - from.x, to.y - from.y];
		const scale = (size || 1) / (Math.hypot(dx, dy) || 1);
		this.array.set([from.x, from.y, to.x, to.y, -dy * scale, dx * scale, floatColor(color), index], at);
	}

	setUniforms(
		params: RenderParams,
		{ gl, uniformLocations: at }: Parameters<EdgeProgram["setUniforms"]>[1],
	): void {
		gl.uniformMatrix3fv(at.u_matrix ?? null, false, params.matrix);
		gl.uniform1f(at.u_sizeRatio ?? null, params.sizeRatio);
		gl.uniform1f(at.u_correctionRatio ?? null, params.correctionRatio);
		gl.uniform1f(at.u_minThickness ?? null, params.minEdgeThickness);
		gl.uniform2f(at.u_size ?? null, params.width, params.height);
	}
}

/** What no source says any more. */
export const dashedEdgeProgram = (arrow: Parameters<typeof createEdgeArrowHeadProgram>[0]) =>
	createEdgeCompoundProgram([DashedLine, createEdgeArrowHeadProgram(arrow)]);
