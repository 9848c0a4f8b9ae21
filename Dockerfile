# The page of Gambito, or any of its commands:
#
#   docker build --tag gambito .
#   docker run --rm --publish 8700:8700 gambito
#   docker run --rm gambito best connect-four --position 4455
#
# The machine code that is compiled stays in the volume /cache.

FROM python:3.13-slim AS build
WORKDIR /source
COPY pyproject.toml hatch_build.py README.md LICENSE requirements.txt ./
COPY src ./src
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.13-slim
COPY --from=build /source/requirements.txt /wheels/ /wheels/
RUN pip install --no-cache-dir --require-hashes --no-deps --requirement /wheels/requirements.txt \
    && pip install --no-cache-dir --no-deps /wheels/*.whl \
    && rm -r /wheels \
    && useradd --create-home gambito \
    && install --directory --owner=gambito --mode=700 /cache
USER gambito
WORKDIR /home/gambito
ENV GAMBITO_CACHE=/cache
VOLUME /cache
EXPOSE 8700
ENTRYPOINT ["gambito"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8700", "--name", "localhost"]
