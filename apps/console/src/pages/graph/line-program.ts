import { EdgeProgram } from "sigma/rendering";
import type { EdgeDisplayData, NodeDisplayData, RenderParams } from "sigma/types";
import { floatColor } from "sigma/utils";
import { buildDefinition, type Given, setSharedUniforms, type Uniform } from "./shading.ts";

/** The line and its arrow head; vertices give the position along and beside the line. */
const VERTEX_SHADER = `#version 300 es
in vec2 a_start;
in vec2 a_end;
in float a_radius;
in float a_thickness;
in vec4 a_colour;
uniform mat3 u_matrix;
uniform vec2 u_half;
uniform float u_scale;
out float v_along;
out float v_aside;
out float v_reach;
out vec3 v_colour;
const int START = 0;
const int NECK = 1;
const int TIP = 2;
const int along[9] = int[9](START, START, NECK, NECK, START, NECK, NECK, NECK, TIP);
const float side[9] = float[9](1.0, -1.0, 1.0, 1.0, -1.0, -1.0, 1.0, -1.0, 0.0);
const float least = 0.6;
const float soft = 1.0;

void main() {
	int corner = gl_VertexID % 9;
	bool isArrow = corner > 5;
	vec2 start = (u_matrix * vec3(a_start, 1)).xy * u_half;
	vec2 across = (u_matrix * vec3(a_end, 1)).xy * u_half - start;
	float distance = length(across);
	vec2 direction = distance > 0.0 ? across / distance : vec2(1, 0);
	float thickness = max(a_thickness * u_scale, least);
	float tip = max(distance - a_radius * u_scale, 0.0);
	float neck = max(tip - 4.0 * thickness, 0.0);
	float reach = isArrow ? 1.5 * thickness : 0.5 * thickness + soft;
	float far = along[corner] == START ? 0.0 : along[corner] == NECK ? neck : tip;
	v_along = isArrow ? 0.0 : far;
	v_aside = side[corner] * reach;
	v_reach = isArrow ? reach + soft : 0.5 * thickness;
	v_colour = a_colour.rgb;
	vec2 place = start + direction * far + vec2(-direction.y, direction.x) * v_aside;
	gl_Position = vec4(place / u_half, 0, 1);
}
`;

const fragmentShader = (skip: string) => `#version 300 es
precision highp float;
in float v_along;
in float v_aside;
in float v_reach;
in vec3 v_colour;
out vec4 colour;

void main() {
	${skip}
	colour = vec4(v_colour, 1) * clamp(v_reach - abs(v_aside) + 0.5, 0.0, 1.0);
}
`;

const VERTICES = 9;

/** Draws facts. */
export class LineProgram extends EdgeProgram<Uniform> {
	constructor(...[gl, , renderer]: ConstructorParameters<typeof EdgeProgram>) {
		super(gl, null, renderer);
	}

	getDefinition() {
		return buildDefinition({
			vertices: VERTICES,
			vertexShader: VERTEX_SHADER,
			fragmentShader: fragmentShader(""),
			has: { a_start: 2, a_end: 2, a_radius: 1, a_thickness: 1 },
		});
	}

	processVisibleItem(
		_index: number,
		start: number,
		from: NodeDisplayData,
		to: NodeDisplayData,
		{ size, color }: EdgeDisplayData,
	): void {
		let at = start;
		const colour = floatColor(color);
		for (let vertex = 0; vertex < VERTICES; vertex++) {
			this.array[at++] = from.x;
			this.array[at++] = from.y;
			this.array[at++] = to.x;
			this.array[at++] = to.y;
			this.array[at++] = to.size;
			this.array[at++] = size;
			this.array[at++] = colour;
		}
	}

	setUniforms(params: RenderParams, given: Given): void {
		setSharedUniforms(params, given);
	}
}

/** Draws outdated facts. Dashes have a fixed length on the screen at every zoom level. */
export class DashedLineProgram extends LineProgram {
	override getDefinition() {
		return {
			...super.getDefinition(),
			FRAGMENT_SHADER_SOURCE: fragmentShader("if (mod(v_along, 10.0) > 6.0) discard;"),
		};
	}
}
