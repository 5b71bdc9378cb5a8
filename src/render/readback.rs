//! Pixels and deformed vertices back on the CPU.

use glam::Vec3;

use super::{
    RenderError, Renderer, Target, draws,
    pipelines::{PipelineKey, READBACK_FORMAT},
    view,
};
use crate::scene::Frame;

/// A picture on the CPU: rows from the top, four bytes a pixel, sRGB-encoded
/// colours with straight alpha, as PNG stores them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pixels {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// `width · height · 4` bytes.
    pub rgba: Vec<u8>,
}

impl Pixels {
    /// RGBA of one pixel, counted from the top left; it must be inside.
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 4] {
        let at = (y as usize * self.width as usize + x as usize) * 4;
        [
            self.rgba[at],
            self.rgba[at + 1],
            self.rgba[at + 2],
            self.rgba[at + 3],
        ]
    }
}

/// A primitive's vertices as the vertex stage computes them, in world space.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DeformedPrimitive {
    /// Positions.
    pub positions: Vec<Vec3>,
    /// Unit normals; zero where the primitive has none.
    pub normals: Vec<Vec3>,
    /// Whether the deformation turns the vertex's neighbourhood inside out.
    pub mirrored: Vec<bool>,
}

impl Renderer {
    /// Waits for the device and copies a finished picture.
    ///
    /// # Errors
    /// [`RenderError::EmptyTarget`], [`RenderError::DeviceLost`] or
    /// [`RenderError::Readback`].
    pub fn read_pixels(&mut self, target: &Target) -> Result<Pixels, RenderError> {
        let attachments = target.attachments().ok_or(RenderError::EmptyTarget)?;
        let (width, height) = target.size();
        let mut rgba = self.read_texture(&attachments.picture, width, height, 4)?;
        make_alpha_straight(&mut rgba);
        Ok(Pixels {
            width,
            height,
            rgba,
        })
    }

    /// Runs the vertex stage over one mesh instance of a frame and reads what it
    /// computes, a primitive at a time in the mesh's order.
    ///
    /// # Errors
    /// [`RenderError::NoSuchDraw`] for indices outside the frame, and as for
    /// [`Self::render`] and [`Self::read_pixels`].
    pub fn read_deformed(
        &mut self,
        frame: &Frame,
        character: usize,
        draw: usize,
    ) -> Result<Vec<DeformedPrimitive>, RenderError> {
        let no_such_draw = || RenderError::NoSuchDraw { character, draw };
        let characters = frame.characters.get(character).ok_or_else(no_such_draw)?;
        let instance = characters.draws.get(draw).ok_or_else(no_such_draw)?;
        let mesh = characters.document.instances[instance.instance].mesh;
        let count = characters.document.meshes[mesh].primitives.len();
        (0..count)
            .map(|primitive| self.read_primitive(frame, character, draw, mesh, primitive))
            .collect()
    }

    fn read_primitive(
        &mut self,
        frame: &Frame,
        character: usize,
        draw: usize,
        mesh: usize,
        primitive: usize,
    ) -> Result<DeformedPrimitive, RenderError> {
        const WIDTH: u32 = 1024;
        let characters = &frame.characters[character];
        let count = characters.document.meshes[mesh].primitives[primitive].vertex_count() as u32;
        if count == 0 {
            return Ok(DeformedPrimitive::default());
        }
        let height = count.div_ceil(WIDTH);
        let extent = view::Extent {
            size: (WIDTH, height),
            ..view::Extent::default()
        };
        self.prepare(frame, &extent)?;
        let (device, queue) = (self.gpu.device.clone(), self.gpu.queue.clone());
        let model = self.models.find(&characters.document).ok_or_else(|| {
            // `prepare` has just uploaded it.
            RenderError::Readback(format!("{} was not uploaded", characters.document.name))
        })?;
        // The list of draws skips what cannot be seen, so this one gets a record
        // of its own.
        let gpu = self.models.get(model);
        let gpu_primitive = &gpu.geometry.meshes[mesh][primitive];
        let instance = &characters.draws[draw];
        let mirrored_bind = gpu.mirrored_bind(instance.instance, &characters.document);
        let record = draws::instance(characters, instance, gpu_primitive, mirrored_bind);
        let vertices = gpu_primitive.vertex_start..gpu_primitive.vertex_start + count;
        let key = PipelineKey::Readback(draws::deform(characters, gpu_primitive));
        self.write_instances(&[record])?;

        self.pipelines.want(key, 1);
        self.pipelines.make(&device, &self.layouts);
        let textures: [wgpu::Texture; 2] = core::array::from_fn(|_| {
            device.create_texture(&wgpu::TextureDescriptor {
                label: Some("deformed vertices"),
                size: wgpu::Extent3d {
                    width: WIDTH,
                    height,
                    depth_or_array_layers: 1,
                },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format: READBACK_FORMAT,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
                view_formats: &[],
            })
        });
        let views = textures
            .each_ref()
            .map(|texture| texture.create_view(&wgpu::TextureViewDescriptor::default()));
        let attachments = views.each_ref().map(|view| {
            Some(wgpu::RenderPassColorAttachment {
                view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations::default(),
            })
        });
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor {
            label: Some("deformed vertices"),
        });
        {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("deformed vertices"),
                color_attachments: &attachments,
                ..Default::default()
            });
            pass.set_pipeline(self.pipelines.get(key, 1));
            pass.set_bind_group(0, self.frame_bind_group(), &[]);
            self.models.get(model).bind(&mut pass, mesh, primitive);
            pass.draw(vertices, 0..1);
        }
        queue.submit([encoder.finish()]);

        let mut read = |texture| -> Result<Vec<[f32; 4]>, RenderError> {
            let bytes = self.read_texture(texture, WIDTH, height, 16)?;
            Ok(bytes
                .chunks_exact(16)
                .take(count as usize)
                .map(bytemuck::pod_read_unaligned)
                .collect())
        };
        let (positions, normals) = (read(&textures[0])?, read(&textures[1])?);
        Ok(DeformedPrimitive {
            positions: positions
                .iter()
                .map(|p| Vec3::new(p[0], p[1], p[2]))
                .collect(),
            normals: normals
                .iter()
                .map(|n| Vec3::new(n[0], n[1], n[2]))
                .collect(),
            mirrored: positions.iter().map(|p| p[3] > 0.5).collect(),
        })
    }

    /// Copies level 0 of a texture, without the padding of rows.
    fn read_texture(
        &mut self,
        texture: &wgpu::Texture,
        width: u32,
        height: u32,
        texel_bytes: u32,
    ) -> Result<Vec<u8>, RenderError> {
        if self.gpu.is_lost() {
            return Err(RenderError::DeviceLost);
        }
        let device = &self.gpu.device;
        let row = width * texel_bytes;
        let padded = row.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let size = u64::from(padded) * u64::from(height);
        let usage = wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ;
        super::buffers::check_size(device, "picture", size, usage)?;
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("readback"),
            size,
            usage,
            mapped_at_creation: false,
        });
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor {
            label: Some("readback"),
        });
        encoder.copy_texture_to_buffer(
            texture.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &buffer,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(padded),
                    rows_per_image: None,
                },
            },
            wgpu::Extent3d {
                width,
                height,
                depth_or_array_layers: 1,
            },
        );
        self.gpu.queue.submit([encoder.finish()]);
        let (sender, receiver) = std::sync::mpsc::channel();
        buffer.map_async(wgpu::MapMode::Read, .., move |result| {
            // A receiver that is gone has given up on the answer.
            let _ = sender.send(result);
        });
        device
            .poll(wgpu::PollType::wait_indefinitely())
            .map_err(|error| RenderError::Readback(error.to_string()))?;
        receiver
            .recv()
            .map_err(|error| RenderError::Readback(error.to_string()))?
            .map_err(|error| RenderError::Readback(error.to_string()))?;
        let mapped = buffer
            .get_mapped_range(..)
            .map_err(|error| RenderError::Readback(error.to_string()))?;
        let mut bytes = Vec::with_capacity(row as usize * height as usize);
        for line in mapped.chunks_exact(padded as usize) {
            bytes.extend_from_slice(&line[..row as usize]);
        }
        Ok(bytes)
    }
}

/// Undoes the premultiplication.
fn make_alpha_straight(rgba: &mut [u8]) {
    for pixel in rgba.chunks_exact_mut(4) {
        let alpha = u32::from(pixel[3]);
        if alpha == 255 {
            continue;
        }
        for channel in &mut pixel[..3] {
            let value = (u32::from(*channel) * 255 + alpha / 2).checked_div(alpha);
            *channel = value.unwrap_or(0).min(255) as u8;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn straight_alpha_gives_back_the_colour_that_was_blended() {
        let mut rgba = [128, 64, 0, 128, 9, 9, 9, 255, 7, 7, 7, 0];
        make_alpha_straight(&mut rgba);
        assert_eq!(rgba, [255, 128, 0, 128, 9, 9, 9, 255, 0, 0, 0, 0]);
    }
}
