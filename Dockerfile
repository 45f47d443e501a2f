# The app and the service in one image (docs/deploy.md, "In a container"):
#   docker build --build-arg CPU_INDEX=… --tag jointly .
#   docker run --rm --publish 127.0.0.1:8501:8501 jointly
#   docker run --rm --publish 127.0.0.1:8502:8502 jointly jointly serve checkpoints/rnnsearch-50 --host 0.0.0.0
FROM python:3.11-slim-bookworm AS packages
# The address of PyTorch's index of CPU builds, which pytorch.org shows for "Linux, pip, CPU".
ARG CPU_INDEX
WORKDIR /opt/jointly
COPY .ci/install.py .ci/
COPY pyproject.toml requirements.txt requirements.lock ./
RUN PIP_EXTRA_INDEX_URL="${CPU_INDEX:?is missing: docs/deploy.md says where it is from}" PIP_NO_CACHE_DIR=1 \
        python .ci/install.py requirements.txt serve \
    && .venv/bin/python -c 'import sys, torch; sys.exit(torch.version.cuda and "this is not the CPU build of PyTorch")'
# What no program here needs: headers, tests, pip itself, programs of PyTorch but one, notebooks' parts, Arrow's network.
WORKDIR /opt/jointly/.venv/lib/python3.11/site-packages
RUN rm -r pip pip-* setuptools* torch/include torch/test plotly/labextension pydeck/nbextension ../../../share \
        pyarrow/include pyarrow/*flight* pyarrow/*s3* \
    && find torch/bin -type f ! -name torch_shm_manager -delete \
    && find . -depth -type d -name tests -exec rm -r {} + \
    && find . -type f \( -name '*.h' -o -name '*.hpp' -o -name '*.a' -o -name '*.cpp' -o -name '*.p[xy][dx]' -o -name '*.map' \) -delete \
    && /opt/jointly/.venv/bin/python -c 'import torch, streamlit, plotly, matplotlib.figure, uvicorn, pyarrow.compute'

FROM python:3.11-slim-bookworm
RUN useradd --uid 1000 --create-home jointly && install --directory --owner jointly /data
WORKDIR /opt/jointly
COPY --from=packages /opt/jointly/.venv .venv
COPY . .
RUN .venv/bin/python -m compileall -q nmt pages app.py
# /data has all that is written: mount a volume there to keep it.
ENV PATH=/opt/jointly/.venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    JOINTLY_CACHE=/data/cache JOINTLY_DATA=/data/corpora JOINTLY_RESULTS=/data/results \
    JOINTLY_RUNS=/data/runs JOINTLY_SYSTEMS=/data/systems MPLCONFIGDIR=/data/cache/matplotlib \
    STREAMLIT_SERVER_ADDRESS=0.0.0.0 STREAMLIT_SERVER_HEADLESS=true STREAMLIT_BROWSER_SERVER_ADDRESS=localhost
USER 1000
EXPOSE 8501 8502
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s CMD ["python", ".ci/health.py"]
CMD ["python", "-m", "streamlit", "run", "app.py"]
